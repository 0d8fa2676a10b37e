// `wm task update` without words enough, on a terminal: asks for the task, shows it, offers what can be changed, checks
// each answer while it is typed, shows what will be different, and sends it after a yes. What the service refuses is
// asked about again: nothing of what was typed is lost.

import { identifier } from '../../../contract/identifier.ts';
import { formatValue, ValidationError } from '../../../contract/schema.ts';
import type { Task, TaskUpdate } from '../../../contract/task.ts';
import { Failure, usageError } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import type { Flag } from '../../flag.ts';
import { toKebabCase, toWords } from '../../flag.ts';
import { type GivenFlags, parseFlags } from '../../parse-values.ts';
import { taskLinesWith } from '../display/columns.ts';
import { readNames } from '../display/names.ts';
import type { UpdateFlagValues } from '../input/build-update.ts';
import { acceptLink } from '../input/permalink.ts';
import { updateFlags } from '../input/update-flags.ts';
import { updateAndShow } from './logged-update.ts';
import { readTask } from './read-task.ts';
import { prepareUpdate, sendWithNameFallback } from './update-one.ts';
import { previewUpdate, taskWithIdsOf } from './update-preview.ts';

type FlagName = keyof typeof updateFlags;
type Texts = readonly [string, ...string[]];

/** What people change most stands at the top of the list; the rest follows in the order of the contract. */
const commonFlags: readonly FlagName[] = [
  'title',
  'status',
  'customStatus',
  'importance',
  'start',
  'due',
  'duration',
  'addResponsibles',
  'removeResponsibles',
  'description',
  'customField',
  'metadata',
];

const dateExamples = '(2026-12-24, 2026-12-24 17:00, tomorrow, fri, in 3 days)';

/** Where the help of a flag leans on its neighbours, or does not ask. */
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

const taskId = acceptLink(identifier('TaskId'));

/** `line`: what the command line has said already; then only the task is asked for. */
export async function updateInteractively(
  context: Context,
  given: string | undefined,
  line: UpdateFlagValues,
): Promise<undefined> {
  const said = given === undefined ? undefined : taskId.validate(given);
  // Before a question: whoever is not signed in would answer it for nothing.
  const session = await context.session();
  const id = said ?? taskId.validate(await promptForTask(context));
  const task = await readTask(session, id);
  await showTask(context, task);
  if (Object.keys(line).length === 0) return promptUntilSent(context, task);
  const update = await prepareUpdate(context, id, line, task);
  await context.confirm(`Update ${id}?`);
  await sendWithNameFallback(context, update, (one) => updateAndShow(context, id, one));
}

function promptForTask(context: Context): Promise<string> {
  return context.prompt('ID', (prompt) =>
    prompt.text('Task (id or permalink):', {
      validateWhileTyping: remarkFrom((text) => taskId.validate(text)),
    }),
  );
}

async function showTask(context: Context, task: Task): Promise<void> {
  const { report } = context;
  await report.details(taskLinesWith(await readNames(context, [task], 'errors')), task);
}

/** Asks until the update is made, or nothing is to be changed after all. */
async function promptUntilSent(context: Context, task: Task): Promise<undefined> {
  const given = new Map<FlagName, Texts>();
  let refused: Failure | undefined;
  for (;;) {
    await promptForChanges(context, given, refused);
    const update = await orReport(context, async () => {
      // By now it may be otherwise: where the outcome was not known, most of all.
      const now = refused ? await readTask(await context.session(), task.id) : task;
      return validateAndPreview(context, given, now);
    });
    if (update instanceof Failure) continue;
    await context.confirm(`Update ${task.id}?`);
    // Read anew before it is sent: while somebody typed, another may have changed it.
    const sent = await orReport(context, () =>
      sendWithNameFallback(context, update, (one) => updateAndShow(context, task.id, one)),
    );
    if (!(sent instanceof Failure)) return undefined;
    refused = sent;
  }
}

/** Asks for changes until there is nothing more to say. */
async function promptForChanges(
  context: Context,
  given: Map<FlagName, Texts>,
  refused: Failure | undefined,
): Promise<void> {
  for (;;) {
    const choice = await context.prompt('--title', (prompt) =>
      prompt.pick('What do you want to change?', [
        ...(given.size > 0 ? [{ title: 'Done: check and send', value: 'send' as const }] : []),
        ...orderedFlags().map((name) => ({ title: label(name, given), value: name })),
        { title: 'Cancel: change nothing', value: 'leave' as const },
      ]),
    );
    if (choice === 'send') return;
    // What the service said to it is how it has ended.
    if (choice === 'leave') throw refused ?? usageError('Not confirmed, so nothing was done');
    const before = given.get(choice);
    if (before && (await promptToKeep(context, choice, before)) === 'back') given.delete(choice);
    else given.set(choice, await promptForValue(context, choice, before));
  }
}

/** The update as it will be sent; what it changes is shown. */
async function validateAndPreview(
  context: Context,
  given: ReadonlyMap<FlagName, Texts>,
  task: Task,
): Promise<TaskUpdate> {
  const update = await prepareUpdate(context, task.id, parseFlags(updateFlags, textsOf(given)), task);
  const names = await readNames(context, [task, taskWithIdsOf(update, task)], 'errors');
  const lines = previewUpdate(update, task, new Map<string, Texts>(given), names);
  await context.report.details(
    lines.map(({ title, text }) => ({ title, cell: () => text })),
    task,
  );
  if (lines.every(({ isUnchanged }) => isUnchanged))
    await context.report.info('The task already has all these values.');
  return update;
}

/** These end the questions; after every other, what was typed can still be mended or sent again. */
/** What it gives; or, after it was said, what has gone wrong and is to be mended. */
async function orReport<T>(context: Context, run: () => Promise<T>): Promise<T | Failure> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof Failure) || error.meaning.concerns === 'command') throw error;
    await context.report.failure(error);
    return error;
  }
}

function promptToKeep(context: Context, name: FlagName, before: Texts): Promise<'anew' | 'back'> {
  return context.prompt(`--${toKebabCase(name)}`, (prompt) =>
    prompt.pick(`${toWords(name)}: ${before.join(', ')}`, [
      { title: updateFlags[name].repeats ? 'Add another' : 'Change it', value: 'anew' },
      { title: 'Remove it', value: 'back' },
    ]),
  );
}

function textsOf(given: ReadonlyMap<FlagName, Texts>): GivenFlags {
  return new Map<string, Texts>(given);
}

function orderedFlags(): readonly FlagName[] {
  const all = Object.keys(updateFlags).filter(isFlagName);
  return [...commonFlags, ...all.filter((name) => !commonFlags.includes(name))];
}

function isFlagName(name: string): name is FlagName {
  return Object.hasOwn(updateFlags, name);
}

function label(name: FlagName, given?: ReadonlyMap<FlagName, Texts>): string {
  const said = given?.get(name);
  return `${toWords(name)}${said === undefined ? '' : `: ${said.join(', ')}`}`;
}

/** One value, or one more for what can be given several times. */
async function promptForValue(context: Context, name: FlagName, before: Texts | undefined): Promise<Texts> {
  const flag: Flag<unknown> = updateFlags[name];
  const question = promptTexts[name] ?? flag.help;
  if (flag.placeholder === undefined) {
    const yes = await context.prompt(`--${toKebabCase(name)}`, (prompt) => prompt.confirm(question));
    return [String(yes)];
  }
  const choices = /: ((?:\w+, )+\w+)$/.exec(flag.help)?.[1]?.split(', ');
  const text =
    choices && !flag.repeats
      ? await context.prompt(`--${toKebabCase(name)}`, (prompt) =>
          prompt.pick(
            question,
            choices.map((one) => ({ title: one, value: one })),
          ),
        )
      : await context.prompt(`--${toKebabCase(name)}`, (prompt) =>
          prompt.text(`${question}:`, { validateWhileTyping: remarkFrom((typed) => flag.parse([typed])) }),
        );
  return flag.repeats && before ? [...before, text] : [text];
}

/** What is wrong with a text, in the words of the command line, less the text where it stands there to be read. */
function remarkFrom(check: (text: string) => unknown): (text: string) => string | undefined {
  return (text) => {
    try {
      check(text);
      return undefined;
    } catch (error) {
      if (error instanceof ValidationError)
        return error.value === formatValue(text) ? error.problem : error.message;
      if (error instanceof Failure) return error.message;
      throw error;
    }
  };
}
