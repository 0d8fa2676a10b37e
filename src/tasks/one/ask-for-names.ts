// The prompts of an interactive update for values with names: users, folders, custom statuses and fields are picked from the
// account's lists. A name can be typed too: it is looked up at once, and prompted for again if it is unknown.

import type { Context } from '#cli/context.ts';
import { toKebabCase } from '#cli/flags/flag.ts';
import { emailsOf, fullName } from '#cli/identity.ts';
import { parseFlags } from '#cli/parse-values.ts';
import { readOrNone } from '#cli/read-pages.ts';
import { mayBeId } from '#cli/resolve/id-shape.ts';
import { isDeleted } from '#cli/resolve/resolve-place.ts';
import { isIdentifier } from '#contract/identifier.ts';
import type { Task } from '#contract/task.ts';
import { toFailure } from '#failure.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { buildUpdate } from '../input/build-update.ts';
import { isNamed, mayBeName, namedParameters, textsIn } from '../input/unresolved-update.ts';
import { updateFlags } from '../input/update-flags.ts';
import { listStatuses } from '../names/custom-status.ts';
import { createNameLists, type NameLists } from '../names/name-lists.ts';
import { idOfTitle, resolveNames } from '../names/resolve-names.ts';
import { isListParameter, listParameters } from '../parts/list-part.ts';

type FlagName = keyof typeof updateFlags;

interface Choice {
  readonly id: string;
  readonly title: string;
  readonly details: readonly string[];
}

export function takesNames(name: FlagName): boolean {
  return isNamed(name) || name === 'customField' || name === 'removeCustomField';
}

/** Several texts only for a flag that can be repeated. Adds the names of picked ids to `labels`. `before`: the text to correct. */
export async function askForNames(
  context: Context,
  { name, question, task }: { readonly name: FlagName; readonly question: string; readonly task: Task },
  labels: Map<string, string>,
  before: string | undefined,
  askForText: (initial: string | undefined) => Promise<string>,
): Promise<readonly string[]> {
  const lists = createNameLists(context.session, context);
  const typeIn = async (initial: string | undefined): Promise<string> => {
    const text = await askForText(initial);
    return (await isResolvable(context, lists, name, text)) ? text : typeIn(text);
  };
  const initial = before !== undefined && labels.has(before) ? undefined : before;
  const isField = name === 'customField';
  const choices =
    isField && initial !== undefined ? [] : await readOrNone(() => listChoices(lists, name, task));
  if (choices.length === 0) return [await typeIn(initial)];
  const isRepeated = ({ title }: Choice) => choices.filter((choice) => choice.title === title).length > 1;
  const entries = [
    ...choices.map((choice) => ({
      title: choice.title,
      details: [...(isRepeated(choice) ? [choice.id] : []), ...choice.details],
      search: [choice.id],
      value: choice,
    })),
    { title: 'Type it: a name or an id', value: undefined },
  ];
  const picked = await context.prompt(`--${toKebabCase(name)}`, async (prompt) =>
    updateFlags[name].repeats && !isField
      ? prompt.pickSeveral(question, entries)
      : [await prompt.pick(question, entries)],
  );
  const texts: string[] = [];
  for (const choice of picked)
    if (choice && !isField) {
      labels.set(choice.id, choice.title);
      texts.push(choice.id);
    } else texts.push(await typeIn(choice ? assignment(choice, task, isRepeated(choice)) : initial));
  return texts;
}

/** `FIELD=VALUE` with the current value, to be edited. */
function assignment({ id, title }: Choice, { customFields = [] }: Task, isRepeated: boolean): string {
  const value = customFields.find((field) => field.id === id)?.value ?? '';
  return `${isRepeated || /=|\[\]$/.test(title) ? id : title}=${value === sanitizeLine(value) ? value : ''}`;
}

/** The account's values; for a removal, only those of the task. Empty without a list. */
async function listChoices(lists: NameLists, name: FlagName, task: Task): Promise<readonly Choice[]> {
  if (name === 'customStatus')
    return listStatuses(await lists.workflows()).map((status) => {
      const { id, name: title, workflow, group = '' } = status;
      return { id, title, details: [workflow, group] };
    });
  if (name === 'customField' || name === 'removeCustomField')
    return (await lists.customFields())
      .filter(({ id }) => name === 'customField' || task.customFields?.some((field) => field.id === id))
      .map(({ id, title = id, type = '' }) => ({ id, title, details: [type] }));
  if (!isNamed(name) || !isListParameter(name)) return [];
  const { ids, adds } = listParameters[name];
  const fits = ({ id }: { readonly id: string }) => adds || task[ids]?.includes(id);
  if (ids === 'parentIds')
    return (await lists.folders())
      .filter((folder) => fits(folder) && !isDeleted(folder))
      .map(({ id, title = id, project }) => ({ id, title, details: project ? ['project'] : [] }));
  if (namedParameters[name] !== 'user') return [];
  return (await lists.contacts())
    .filter((user) => fits(user) && user.deleted !== true && isIdentifier('UserId', user.id))
    .map((user) => ({ id: user.id, title: fullName(user) || user.id, details: emailsOf(user) }));
}

/** Reports an unknown name. A name that cannot be looked up now is left to the service. */
async function isResolvable(context: Context, lists: NameLists, name: FlagName, text: string) {
  try {
    const now = context.world.clock.now();
    const { update } = buildUpdate(parseFlags(updateFlags, new Map([[name, [text] as const]])), now);
    const resolved = await resolveNames(update, lists, now);
    for (const { name, kind, text } of textsIn(resolved, mayBeName))
      if ((kind === 'task' || kind === 'folder') && !mayBeId('TaskId', text))
        await idOfTitle(lists, toKebabCase(name), kind, text);
    return true;
  } catch (error) {
    const failure = toFailure(error);
    if (failure.meaning.concerns === 'command') throw error;
    if (failure.code !== 'usage') return true;
    await context.report.failure(failure);
    return false;
  }
}
