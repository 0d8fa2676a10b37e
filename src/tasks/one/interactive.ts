// `wm task update` without a task or without changes, on a terminal: prompts for the task and its changes, previews them, and sends
// them once confirmed. If the service rejects the update, it prompts again with the values that were typed.

import type { Context } from '#cli/context.ts';
import { type Flag, toKebabCase, toWords } from '#cli/flags/flag.ts';
import { parseFlags } from '#cli/parse-values.ts';
import { formatValue, ValidationError } from '#contract/schema.ts';
import type { Task } from '#contract/task.ts';
import { datesHazard } from '#contract/task-rules.ts';
import { Failure, toFailure, usageError } from '#failure.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { taskLinesWith } from '../display/columns.ts';
import { readNames } from '../display/names.ts';
import { buildUpdate, type UpdateFlagValues } from '../input/build-update.ts';
import { updateFlags } from '../input/update-flags.ts';
import { nameTask } from '../select/named-task.ts';
import { type NamedTask, pickOpenTask } from '../select/pick-task.ts';
import { askForNames, takesNames } from './ask-for-names.ts';
import { startToKeep } from './due-date-alone.ts';
import { updateAndShow } from './logged-update.ts';
import { readTask } from './read-task.ts';
import { prepareUpdate, sendWithNameFallback } from './update-one.ts';
import { previewUpdate, taskWithIdsOf } from './update-preview.ts';

type FlagName = keyof typeof updateFlags;
type Texts = readonly [string, ...string[]];

/** `ask`: the question, if the flag's help does not work as one. `find`: other words for it, for the filter of the list. */
type Prompts = { readonly [K in FlagName]?: { readonly ask?: string; readonly find?: string } };

const dateExamples = '(2026-12-24, 2026-12-24 17:00, tomorrow, fri, in 3 days)';
const fieldForms = 'FIELD=VALUE, where FIELD is a title or id; FIELD[]=a,b sets several choices';

/** The most common changes come first, in this order; the rest follows in the order of the contract. */
const commonPrompts: Prompts = {
  title: { ask: 'New title' },
  status: { ask: 'New status', find: 'state done' },
  customStatus: { find: 'workflow' },
  importance: { ask: 'New importance', find: 'priority' },
  start: { ask: `Start ${dateExamples}`, find: 'begin' },
  due: { ask: `Due ${dateExamples}`, find: 'deadline end' },
  duration: {},
  // Before the other names that `move` finds: it is in `remove`.
  addParents: { find: 'folder project space move' },
  addResponsibles: { find: 'assignees owner people users' },
  removeResponsibles: { find: 'assignees unassign owner people users' },
  description: { ask: 'New description (HTML)', find: 'text body' },
  customField: { ask: `Custom field and value (${fieldForms})` },
  metadata: {},
};

const prompts: Prompts = {
  ...commonPrompts,
  removeParents: { find: 'folder project space' },
  addFollowers: { find: 'watchers people users' },
  workOnWeekends: { ask: 'Count weekends as working days?' },
  milestone: { ask: 'Make the task a milestone?' },
  backlog: { ask: 'Move the task to the backlog, without dates?' },
  allowClearingDates: { ask: 'Allow a duration without a start, which clears the dates?' },
  totalEffort: { ask: 'Total effort (12h, 2d4h; needs an effort mode too)' },
  follow: { ask: 'Follow the task?' },
  restore: { ask: 'Restore the task from the recycle bin?' },
  withInvitations: { ask: 'Include invitations in sharedIds and responsibleIds?' },
  plainTextCustomFields: { ask: 'Show custom fields without HTML tags?' },
};

// The keys of both objects are the names of flags and nothing else. promptToKeepStart asks for keepStart where it applies.
const offeredFlags = [
  ...new Set([...Object.keys(commonPrompts), ...Object.keys(updateFlags)] as readonly FlagName[]),
].filter((name) => name !== 'keepStart');

/** `text`: the task; without it, the user picks one. `values`: the changes on the command line; with them, nothing else is asked for. */
export async function updateInteractively(
  context: Context,
  text: string | undefined,
  values: UpdateFlagValues,
): Promise<undefined> {
  // Before the first prompt: without a sign-in, the answers would be lost.
  const session = await context.session();
  const named = await (text === undefined ? pickOpenTask(context, 'update') : nameTask(context, text));
  const task = await readTask(session, named.id);
  await context.report.details(taskLinesWith(await readNames(context, [task], 'errors')), task);
  if (Object.keys(values).length === 0) return promptUntilSent(context, task, named);
  const update = await prepareUpdate(context, task.id, values, { knownTask: task });
  await context.confirm(confirmation(task, named));
  await sendWithNameFallback(context, update, (sent) => updateAndShow(context, named, sent));
}

/** By its title if the user named the task by title or picked it, and so may not know its id. */
function confirmation({ id }: Task, { title }: NamedTask): string {
  return `Update ${title === undefined ? id : JSON.stringify(title)}?`;
}

interface Answers {
  readonly texts: Map<FlagName, Texts>;
  /** The names of ids that were picked from a list. */
  readonly labels: Map<string, string>;
}

async function promptUntilSent(context: Context, task: Task, named: NamedTask): Promise<undefined> {
  const answers: Answers = { texts: new Map(), labels: new Map() };
  let rejection: Failure | undefined;
  for (;;) {
    await promptForChanges(context, task, answers, rejection);
    const update = await orReport(context, async () => {
      // The task may have changed by now, above all if the outcome was unknown.
      const now = rejection ? await readTask(await context.session(), task.id) : task;
      return validateAndPreview(context, answers, now);
    });
    if (update instanceof Failure) continue;
    await context.confirm(confirmation(task, named));
    // Read again before sending: another user may have changed the task meanwhile.
    const sent = await orReport(context, () =>
      sendWithNameFallback(context, update, (sent) => updateAndShow(context, named, sent)),
    );
    if (!(sent instanceof Failure)) return undefined;
    rejection = sent;
  }
}

async function promptForChanges(
  context: Context,
  task: Task,
  { texts, labels }: Answers,
  rejection: Failure | undefined,
): Promise<void> {
  for (;;) {
    const choice = await context.prompt('--title', (prompt) =>
      prompt.pick('What do you want to change?', [
        ...(texts.size > 0 ? [{ title: 'Done: check and send', value: 'send' as const }] : []),
        ...offeredFlags.map((name) => {
          const values = texts.has(name) ? `: ${labelled(texts.get(name), labels).join(', ')}` : '';
          return { title: toWords(name) + values, search: [prompts[name]?.find ?? ''], value: name };
        }),
        { title: 'Cancel: change nothing', value: 'cancel' as const },
      ]),
    );
    if (choice === 'send') return;
    // The command ends with the last rejection.
    if (choice === 'cancel') throw rejection ?? usageError('Not confirmed; nothing was done');
    const values = [...(texts.get(choice) ?? [])];
    const { index, removes } =
      values.length === 0
        ? { index: 0, removes: false }
        : await promptToCorrect(context, choice, labelled(values, labels));
    const newValues = removes ? [] : await promptForValue(context, task, choice, values[index], labels);
    values.splice(index, 1, ...newValues);
    const [first, ...more] = values;
    if (first === undefined) texts.delete(choice);
    else texts.set(choice, [first, ...more]);
  }
}

/** The current text, to be edited, if it fits the one line of a prompt. */
function currentText(name: FlagName, task: Task): string | undefined {
  const now = name === 'title' || name === 'description' ? task[name] : undefined;
  return now === undefined || now.length > 10_000 || now !== sanitizeLine(now) ? undefined : now;
}

/** A due date alone turns a planned task into a milestone, unless its start is sent too. */
async function promptToKeepStart(context: Context, texts: Map<FlagName, Texts>, { dates = {} }: Task) {
  const { update } = buildUpdate(parseFlags(updateFlags, texts), context.world.clock.now());
  if (!update.dates || datesHazard(update.dates) !== 'becomes-milestone') {
    texts.delete('keepStart');
    return;
  }
  const start = startToKeep(dates, update.dates);
  if (start === undefined || texts.has('keepStart')) return;
  const question = `The task starts ${start}. Keep that start?`;
  if (await context.prompt('--keep-start', (prompt) => prompt.confirm(question)))
    texts.set('keepStart', ['true']);
}

/** The update as it will be sent. Prints a preview of it. */
async function validateAndPreview(context: Context, { texts, labels }: Answers, task: Task) {
  await promptToKeepStart(context, texts, task);
  const flags = parseFlags(updateFlags, texts);
  const update = await prepareUpdate(context, task.id, flags, { knownTask: task, mayPrompt: false });
  const names = await readNames(context, [task, taskWithIdsOf(update, task)], 'errors');
  const typed = new Map([...texts].map(([name, values]) => [name, labelled(values, labels)]));
  const lines = previewUpdate({ update, task, typed, names });
  const columns = lines.map(({ title, text }) => ({ title, cell: () => text }));
  await context.report.details(columns, task);
  if (lines.every(({ isUnchanged }) => isUnchanged))
    await context.report.info('The task already has all these values.');
  return update;
}

/** The result, or a failure that the user can fix, which is printed. */
async function orReport<T>(context: Context, run: () => Promise<T>): Promise<T | Failure> {
  try {
    return await run();
  } catch (error) {
    const failure = toFailure(error);
    if (failure.meaning.concerns === 'command') throw error;
    await context.report.failure(failure);
    return failure;
  }
}

/** Returns the index of the value, which is the length for a new value. */
function promptToCorrect(context: Context, name: FlagName, texts: readonly string[]) {
  const remove = (index: number, title: string) => ({ title, value: { index, removes: true } });
  const change = (index: number, title: string) => ({ title, value: { index, removes: false } });
  const each = texts.flatMap((text, at) => [change(at, `Change ${text}`), remove(at, `Remove ${text}`)]);
  return context.prompt(`--${toKebabCase(name)}`, (prompt) =>
    prompt.pick(
      `${toWords(name)}: ${texts.join(', ')}`,
      updateFlags[name].repeats
        ? [change(texts.length, 'Add another'), ...each]
        : [change(0, 'Change it'), remove(0, 'Remove it')],
    ),
  );
}

/** Names in place of ids that were picked. */
function labelled(texts: readonly string[] = [], labels: Answers['labels']): readonly string[] {
  return texts.map((text) => labels.get(text) ?? text);
}

/** One value, or several for a flag that can be repeated. `before`: the value to correct. */
async function promptForValue(
  context: Context,
  task: Task,
  name: FlagName,
  before: string | undefined,
  labels: Answers['labels'],
): Promise<readonly string[]> {
  const flag: Flag<unknown> = updateFlags[name];
  const question = prompts[name]?.ask ?? flag.help;
  const long = `--${toKebabCase(name)}`;
  const askForText = (initial: string | undefined) =>
    context.prompt(long, (prompt) =>
      prompt.text(`${question}:`, {
        initial,
        validate: problemFrom((text) => flag.parse([text])),
        keepsInvalid: true,
      }),
    );
  if (flag.placeholder === undefined)
    return [String(await context.prompt(long, (prompt) => prompt.confirm(question)))];
  if (takesNames(name))
    return askForNames(context, { name, question: `${question}:`, task }, labels, before, askForText);
  const { choices } = flag;
  if (!choices || flag.repeats) return [await askForText(before ?? currentText(name, task))];
  const entries = choices.map((choice) => ({ title: choice, value: choice }));
  return [await context.prompt(long, (prompt) => prompt.pick(question, entries))];
}

/** The error that the command line shows for a text, without the text, which is on the screen. */
function problemFrom(check: (text: string) => unknown): (text: string) => string | undefined {
  return (text) => {
    try {
      check(text);
      return undefined;
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      return error.value === formatValue(text) ? `This ${error.problem}` : error.message;
    }
  };
}
