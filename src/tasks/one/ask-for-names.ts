// The questions of an interactive update whose answers have names: users, folders, custom statuses and fields are picked from the
// account's lists. A name can be typed, too: it is looked up at once, and the question asked again if it is unknown.

import { emailsOf, fullName } from '#cli/contact-name.ts';
import type { Context } from '#cli/context.ts';
import { toKebabCase } from '#cli/flags/flag.ts';
import { parseFlags } from '#cli/parse-values.ts';
import { mayBeId } from '#cli/resolve/id-shape.ts';
import { isDeleted } from '#cli/resolve/resolve-place.ts';
import { isIdentifier } from '#contract/identifier.ts';
import { isTaskUpdateParameter, type Task } from '#contract/task.ts';
import { toFailure } from '#failure.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { buildUpdate } from '../input/build-update.ts';
import { linkedNames, linkedParameters, userParameters, wordsIn } from '../input/unresolved-update.ts';
import { updateFlags } from '../input/update-flags.ts';
import { listStatuses } from '../names/custom-status.ts';
import { createNameLists, type NameLists, readOrNone } from '../names/name-lists.ts';
import { idOfTitle, resolveNames } from '../names/resolve-names.ts';
import { isListParameter, listParameters } from '../parts/list-part.ts';

type FlagName = keyof typeof updateFlags;

interface Listed {
  readonly id: string;
  readonly title: string;
  readonly details: readonly string[];
}

export function takesNames(name: FlagName): boolean {
  const others = ['customStatus', 'customField', 'removeCustomField'];
  return [...userParameters, ...linkedNames, ...others].includes(name);
}

/**
 * Several texts only for a flag that can be repeated. `labels`: the names of the ids that were picked, added to. `before`: the text to
 * correct. `askForText` asks for a text, with the one to edit.
 */
export async function askForNames(
  context: Context,
  { name, question, task }: { readonly name: FlagName; readonly question: string; readonly task: Task },
  labels: Map<string, string>,
  before: string | undefined,
  askForText: (initial: string | undefined) => Promise<string>,
): Promise<readonly string[]> {
  const lists = createNameLists(context.session, context);
  const typeIn = async (initial: string | undefined): Promise<string> => {
    const typed = await askForText(initial);
    return (await isKnown(context, lists, name, typed)) ? typed : typeIn(typed);
  };
  const initial = before !== undefined && labels.has(before) ? undefined : before;
  const isField = name === 'customField';
  const listed = isField && initial !== undefined ? [] : await readOrNone(() => list(lists, name, task));
  if (listed.length === 0) return [await typeIn(initial)];
  const isRepeated = ({ title }: Listed) => listed.filter((one) => one.title === title).length > 1;
  const entries = [
    ...listed.map((one) => ({
      title: one.title,
      details: [...(isRepeated(one) ? [one.id] : []), ...one.details],
      search: [one.id],
      value: one,
    })),
    { title: 'Type it: a name or an id', value: undefined },
  ];
  const picked = await context.prompt(`--${toKebabCase(name)}`, async (prompt) =>
    updateFlags[name].repeats && !isField
      ? prompt.pickSeveral(question, entries)
      : [await prompt.pick(question, entries)],
  );
  const texts: string[] = [];
  for (const one of picked) {
    if (one && !isField) labels.set(one.id, one.title);
    if (one && !isField) texts.push(one.id);
    else texts.push(await typeIn(one ? assignment(one, task, isRepeated(one)) : initial));
  }
  return texts;
}

/** `FIELD=VALUE` with today's value, to be edited. */
function assignment({ id, title }: Listed, { customFields = [] }: Task, isRepeated: boolean): string {
  const now = customFields.find((one) => one.id === id)?.value ?? '';
  return `${isRepeated || /=|\[\]$/.test(title) ? id : title}=${now === sanitizeLine(now) ? now : ''}`;
}

/** What can be picked: for a removal, what the task has. Empty without a list. */
async function list(lists: NameLists, name: FlagName, task: Task): Promise<readonly Listed[]> {
  if (name === 'customStatus')
    return listStatuses(await lists.workflows()).map((one) => ({
      id: one.id,
      title: one.name,
      details: [one.workflow, one.group ?? ''],
    }));
  if (name === 'customField' || name === 'removeCustomField')
    return (await lists.customFields())
      .filter(({ id }) => name === 'customField' || task.customFields?.some((own) => own.id === id))
      .map(({ id, title = id, type = '' }) => ({ id, title, details: [type] }));
  if (!isTaskUpdateParameter(name) || !isListParameter(name)) return [];
  const { ids, adds } = listParameters[name];
  const fits = ({ id }: { readonly id: string }) => adds || task[ids]?.includes(id);
  if (ids === 'parentIds')
    return (await lists.folders())
      .filter((one) => fits(one) && !isDeleted(one))
      .map(({ id, title = id, project }) => ({ id, title, details: project ? ['project'] : [] }));
  if (ids !== 'responsibleIds' && ids !== 'sharedIds' && ids !== 'followerIds') return [];
  return (await lists.contacts())
    .filter((one) => fits(one) && one.deleted !== true && isIdentifier('UserId', one.id))
    .map((one) => ({ id: one.id, title: fullName(one) || one.id, details: emailsOf(one) }));
}

/** Says what is wrong with a name. What cannot be looked up now is left to the service. */
async function isKnown(context: Context, lists: NameLists, name: FlagName, text: string): Promise<boolean> {
  try {
    const now = context.world.clock.now();
    const { update } = buildUpdate(parseFlags(updateFlags, new Map([[name, [text] as const]])), now);
    const resolved = await resolveNames(update, lists, now);
    for (const linked of linkedNames)
      for (const word of wordsIn(resolved[linked]))
        if (!mayBeId('TaskId', word))
          await idOfTitle(lists, toKebabCase(linked), linkedParameters[linked], word);
    return true;
  } catch (error) {
    const failure = toFailure(error);
    if (failure.meaning.concerns === 'command') throw error;
    if (failure.code !== 'usage') return true;
    await context.report.failure(failure);
    return false;
  }
}
