// `wm task update` with the task or the changes missing, on a terminal: lets the user pick the task, shows it, lists what can be changed,
// validates each value while it is typed, previews the changes, and sends them once confirmed. If the service rejects the
// update, it prompts again and keeps what was typed.

import type { Context } from '#cli/context.ts';
import type { Flag } from '#cli/flags/flag.ts';
import { toKebabCase, toWords } from '#cli/flags/flag.ts';
import { parseFlags } from '#cli/parse-values.ts';
import { formatValue, ValidationError } from '#contract/schema.ts';
import type { Task, TaskUpdate } from '#contract/task.ts';
import { Failure, toFailure, usageError } from '#failure.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { taskLinesWith } from '../display/columns.ts';
import { readNames } from '../display/names.ts';
import { buildUpdate, type UpdateFlagValues } from '../input/build-update.ts';
import { updateFlags } from '../input/update-flags.ts';
import { hasDueDateAlone } from '../input/validate-update.ts';
import { nameTask } from '../select/named-task.ts';
import { type NamedTask, pickOpenTask } from '../select/pick-task.ts';
import { askForNames, takesNames } from './ask-for-names.ts';
import { updateAndShow } from './logged-update.ts';
import { readTask } from './read-task.ts';
import { prepareUpdate, sendWithNameFallback } from './update-one.ts';
import { previewUpdate, taskWithIdsOf } from './update-preview.ts';

type FlagName = keyof typeof updateFlags;
type Texts = readonly [string, ...string[]];

/** The most common changes come first; the rest follows in the order of the contract. */
const commonFlags: readonly FlagName[] = [
  'title',
  'status',
  'customStatus',
  'importance',
  'start',
  'due',
  'duration',
  // Before the other names that `move` finds: it is in `remove`.
  'addParents',
  'addResponsibles',
  'removeResponsibles',
  'description',
  'customField',
  'metadata',
];

const dateExamples = '(2026-12-24, 2026-12-24 17:00, tomorrow, fri, in 3 days)';

/** What people call a field, for the filter of the list. */
const otherNames: { readonly [K in FlagName]?: string } = {
  status: 'state done',
  customStatus: 'workflow',
  importance: 'priority',
  start: 'begin',
  due: 'deadline end',
  addParents: 'folder project space move',
  removeParents: 'folder project space',
  addResponsibles: 'assignees owner people users',
  removeResponsibles: 'assignees unassign owner people users',
  addFollowers: 'watchers people users',
  description: 'text body',
};

/** Prompts for flags whose help does not work as a question. */
const promptTexts: { readonly [K in FlagName]?: string } = {
  title: 'New title',
  description: 'New description (HTML)',
  status: 'New status',
  importance: 'New importance',
  start: `Start ${dateExamples}`,
  due: `Due ${dateExamples}`,
  workOnWeekends: 'Count weekends as working days?',
  milestone: 'Make the task a milestone?',
  backlog: 'Move the task to the backlog, without dates?',
  allowClearingDates: 'Allow a duration without a start, which clears the dates?',
  customField:
    'Custom field and value (FIELD=VALUE, where FIELD is a title or id; FIELD[]=a,b sets several choices)',
  totalEffort: 'Total effort (12h, 2d4h; needs an effort mode too)',
  follow: 'Follow the task?',
  restore: 'Restore the task from the recycle bin?',
  withInvitations: 'Include invitations in sharedIds and responsibleIds?',
  plainTextCustomFields: 'Show custom fields without HTML tags?',
};

/** `given`: the task, which is picked if it is left out. `line`: the changes given on the command line; then it picks the task alone. */
export async function updateInteractively(
  context: Context,
  given: string | undefined,
  line: UpdateFlagValues,
): Promise<undefined> {
  // Before the first prompt: without a sign-in, the answers would be lost.
  const session = await context.session();
  const named = await (given === undefined ? pickOpenTask(context, 'update') : nameTask(context, given));
  const task = await readTask(session, named.id);
  await showTask(context, task);
  if (Object.keys(line).length === 0) return promptUntilSent(context, task, named);
  const update = await prepareUpdate(context, task.id, line, task);
  await context.confirm(confirmation(task, named));
  await sendWithNameFallback(context, update, (one) => updateAndShow(context, named, one));
}

/** By its title if the user named or picked it so, who need not know its id. */
function confirmation({ id }: Task, { title }: NamedTask): string {
  return `Update ${title === undefined ? id : JSON.stringify(title)}?`;
}

async function showTask(context: Context, task: Task): Promise<void> {
  const { report } = context;
  await report.details(taskLinesWith(await readNames(context, [task], 'errors')), task);
}

interface Answers {
  readonly given: Map<FlagName, Texts>;
  /** The names of ids that were picked from a list. */
  readonly labels: Map<string, string>;
}

/** Prompts until the update is sent, or cancelled. */
async function promptUntilSent(context: Context, task: Task, named: NamedTask): Promise<undefined> {
  const given = new Map<FlagName, Texts>();
  const labels = new Map<string, string>();
  let rejection: Failure | undefined;
  for (;;) {
    await promptForChanges(context, task, { given, labels }, rejection);
    const update = await orReport(context, async () => {
      // The task may have changed by now, above all if the outcome was unknown.
      const now = rejection ? await readTask(await context.session(), task.id) : task;
      return validateAndPreview(context, { given, labels }, now);
    });
    if (update instanceof Failure) continue;
    await context.confirm(confirmation(task, named));
    // Read again before sending: another user may have changed the task meanwhile.
    const sent = await orReport(context, () =>
      sendWithNameFallback(context, update, (one) => updateAndShow(context, named, one)),
    );
    if (!(sent instanceof Failure)) return undefined;
    rejection = sent;
  }
}

/** Prompts for changes until the user is done. */
async function promptForChanges(
  context: Context,
  task: Task,
  { given, labels }: Answers,
  rejection: Failure | undefined,
): Promise<void> {
  for (;;) {
    const choice = await context.prompt('--title', (prompt) =>
      prompt.pick('What do you want to change?', [
        ...(given.size > 0 ? [{ title: 'Done: check and send', value: 'send' as const }] : []),
        ...orderedFlags().map((name) => ({
          title: label(name, shownTexts(given.get(name), labels)),
          search: [otherNames[name] ?? ''],
          value: name,
        })),
        { title: 'Cancel: change nothing', value: 'cancel' as const },
      ]),
    );
    if (choice === 'send') return;
    // The command ends with the rejection that came last.
    if (choice === 'cancel') throw rejection ?? usageError('Not confirmed; nothing was done');
    const texts = [...(given.get(choice) ?? [])];
    const { at, removes } =
      texts.length === 0
        ? { at: 0, removes: false }
        : await promptToCorrect(context, choice, shownTexts(texts, labels));
    const typed = removes ? [] : await promptForValue(context, task, choice, texts[at], labels);
    texts.splice(at, 1, ...typed);
    const [first, ...more] = texts;
    if (first === undefined) given.delete(choice);
    else given.set(choice, [first, ...more]);
  }
}

/** Today's text, to be edited, if it fits the one line of a prompt. */
function textNow(name: FlagName, task: Task): string | undefined {
  const now = name === 'title' || name === 'description' ? task[name] : undefined;
  return now === undefined || now.length > 10_000 || now !== sanitizeLine(now) ? undefined : now;
}

/** For a due date alone on a planned task, which without its start would become a milestone. */
async function promptToKeepStart(context: Context, given: Map<FlagName, Texts>, task: Task): Promise<void> {
  const { update } = buildUpdate(parseFlags(updateFlags, given), context.world.clock.now());
  if (!hasDueDateAlone(update)) {
    given.delete('keepStart');
    return;
  }
  const { due = '' } = update.dates;
  const { type, start } = task.dates ?? {};
  const hasNone = type === 'Milestone' || start === undefined || start.slice(0, 10) > due.slice(0, 10);
  if (hasNone || given.has('keepStart')) return;
  const question = `The task starts ${start}. Keep that start?`;
  if (await context.prompt('--keep-start', (prompt) => prompt.confirm(question)))
    given.set('keepStart', ['true']);
}

/** The update as it will be sent. Prints a preview of it. */
async function validateAndPreview(
  context: Context,
  { given, labels }: Answers,
  task: Task,
): Promise<TaskUpdate> {
  await promptToKeepStart(context, given, task);
  const update = await prepareUpdate(context, task.id, parseFlags(updateFlags, given), task, false);
  const names = await readNames(context, [task, taskWithIdsOf(update, task)], 'errors');
  const typed = new Map([...given].map(([name, texts]) => [name, shownTexts(texts, labels)]));
  const lines = previewUpdate(update, task, typed, names);
  await context.report.details(
    lines.map(({ title, text }) => ({ title, cell: () => text })),
    task,
  );
  if (lines.every(({ isUnchanged }) => isUnchanged))
    await context.report.info('The task already has all these values.');
  return update;
}

/** The result; or the failure, once it was printed, if the user can fix it. */
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

/** `at`: the place of the value; after the last one for one more. */
function promptToCorrect(context: Context, name: FlagName, texts: readonly string[]) {
  const removes = (at: number, title: string) => ({ title, value: { at, removes: true } });
  const changes = (at: number, title: string) => ({ title, value: { at, removes: false } });
  const each = texts.flatMap((text, at) => [changes(at, `Change ${text}`), removes(at, `Remove ${text}`)]);
  return context.prompt(`--${toKebabCase(name)}`, (prompt) =>
    prompt.pick(
      `${toWords(name)}: ${texts.join(', ')}`,
      updateFlags[name].repeats
        ? [changes(texts.length, 'Add another'), ...each]
        : [changes(0, 'Change it'), removes(0, 'Remove it')],
    ),
  );
}

function orderedFlags(): readonly FlagName[] {
  const all = Object.keys(updateFlags).filter(isFlagName);
  // Asked for where it applies: promptToKeepStart.
  return [...commonFlags, ...all.filter((name) => !commonFlags.includes(name) && name !== 'keepStart')];
}

function isFlagName(name: string): name is FlagName {
  return Object.hasOwn(updateFlags, name);
}

function label(name: FlagName, texts: readonly string[]): string {
  return `${toWords(name)}${texts.length === 0 ? '' : `: ${texts.join(', ')}`}`;
}

/** With names in place of ids that were picked. */
function shownTexts(texts: readonly string[] = [], labels: Answers['labels']): readonly string[] {
  return texts.map((text) => labels.get(text) ?? text);
}

/** One value, or several for a flag that can be repeated. `before`: the one to correct. */
async function promptForValue(
  context: Context,
  task: Task,
  name: FlagName,
  before: string | undefined,
  labels: Answers['labels'],
): Promise<readonly string[]> {
  const flag: Flag<unknown> = updateFlags[name];
  const question = promptTexts[name] ?? flag.help;
  const long = `--${toKebabCase(name)}`;
  const askForText = (initial: string | undefined) =>
    context.prompt(long, (prompt) =>
      prompt.text(`${question}:`, {
        initial,
        validateWhileTyping: remarkFrom((typed) => flag.parse([typed])),
      }),
    );
  if (flag.placeholder === undefined)
    return [String(await context.prompt(long, (prompt) => prompt.confirm(question)))];
  if (takesNames(name))
    return askForNames(context, { name, question: `${question}:`, task }, labels, before, askForText);
  const choices = /: ((?:\w+, )+\w+)$/.exec(flag.help)?.[1]?.split(', ');
  if (!choices || flag.repeats) return [await askForText(before ?? textNow(name, task))];
  const entries = choices.map((one) => ({ title: one, value: one }));
  return [await context.prompt(long, (prompt) => prompt.pick(question, entries))];
}

/** The error for a text as on the command line, without repeating the text, which is on the screen. */
function remarkFrom(check: (text: string) => unknown): (text: string) => string | undefined {
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
