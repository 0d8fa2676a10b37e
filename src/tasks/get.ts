// `wm task get`: prints tasks by id, permalink or title, opens a task in the browser, or prints changes of tasks as they happen.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { booleanFlag, integerFlag, listFlag } from '#cli/flags/flag.ts';
import { formatCommand } from '#cli/format-command.ts';
import { foundRecords, missingFailure } from '#cli/read-by-ids.ts';
import { formatValue } from '#contract/schema.ts';
import { type Task, taskUpdateParameters } from '#contract/task.ts';
import { commandHint, Failure, usageError } from '#failure.ts';
import type { Environment } from '#world/world.ts';
import { taskColumns } from './display/columns.ts';
import { readNamed } from './reading/read-named.ts';
import { pickOpenTask } from './select/pick-task.ts';
import { howToNameTasks, tasksArgument } from './select/task-text.ts';

const { fields, plainTextCustomFields, withInvitations } = taskUpdateParameters;
const defaultSeconds = 10;
const minSeconds = 5;
const intervalHelp = `With --watch: the time between two reads (default: ${defaultSeconds})`;

export default command({
  sendsRequests: true,
  changes: 'nothing',
  examples: {
    'Show a task': 'wm task get IEAAAAAQKQAB5BNG',
    'Name it by its title': "wm task get 'Write the launch page'",
    'Open it in the browser': "wm task get 'Write the launch page' --web",
    'See what happens to it': "wm task get 'Write the launch page' --watch",
    'Include its effort': 'wm task get IEAAAAAQKQAB5BNG --fields effortAllocation',
    'Show several tasks as JSON, one object per line': 'wm task get IEAAAAAQKQAB5BNG IEAAAAAQKQAB5BUG --json',
  },
  details: `Prints each task once, in the order of the arguments. The exit status is 5 if any is missing.
A terminal shows users, statuses, folders and custom fields by name; pipes and JSON show their ids.

${howToNameTasks}

With --web, wm opens the task's permalink and prints its host: the address is text from the service. Over ssh (unless BROWSER is set)
and without a display, it prints the address instead.

With --watch, wm reads the tasks at the interval and prints a line for each change: time, change (changed, missing or back), id,
field, value before and after, title. With --json, each change is an object; its values are as the service sent them. If a
read fails, wm warns and waits longer before the next one.`,
  pipeColumns: taskColumns,
  arguments: { id: tasksArgument },
  flags: {
    fields: listFlag(fields.schema, 'NAME', fields.meaning),
    plainTextCustomFields: booleanFlag(plainTextCustomFields.meaning, { negatable: true }),
    withInvitations: booleanFlag(withInvitations.meaning, { negatable: true }),
    web: booleanFlag('Open the task in the browser; without a browser, print its address'),
    watch: booleanFlag('Print each change of the tasks as it happens, until you press Ctrl-C'),
    interval: integerFlag('SECONDS', intervalHelp, minSeconds, 86_400),
  },
  async run({ arguments: { id: texts }, flags }, context) {
    const { web = false, watch = false, interval, ...options } = flags;
    if (interval !== undefined && !watch) throw usageError('--interval needs --watch');
    if (web && watch) throw usageError('--web cannot be combined with --watch');
    if (web && texts.length > 1) throw usageError('--web opens a single task', 'Give one ID.');
    const named = texts.length > 0 ? texts : [(await pickOpenTask(context, 'get')).id];
    const results = await readNamed(context, named, options);
    if (!results) return undefined;
    const found = foundRecords(results.reads);
    const hint = commandHint('Check the ids and the account: ', formatCommand(context, 'whoami'));
    const failure = results.endedBy ?? missingFailure(results.reads, 'tasks', hint);
    if (watch && !failure) {
      const { watchTasks } = await import('./reading/watch-tasks.ts');
      await watchTasks(context, found, (interval ?? defaultSeconds) * 1000, options);
      return undefined;
    }
    const [task] = found;
    if (web && task) {
      await openInBrowser(context, task.record);
      if (!context.report.wantsJson) return undefined;
    }
    if (!watch) {
      const { withNames } = await import('./display/names.ts');
      const tasks = { records: found.map(({ record }) => record), raw: found.map(({ raw }) => raw) };
      await context.report.each(await withNames(context, tasks, flags.fields));
    }
    if (failure) throw failure;
    return undefined;
  },
});

/** Opens the permalink, after naming its host; prints it without a browser. Throws without a usable address: it is the service's text. */
async function openInBrowser({ report, world }: Context, task: Task): Promise<void> {
  const address = webAddress(task);
  if (!isRemote(world.environment)) {
    await report.info(`Opening ${address.host} in the browser: ${address.href}`);
    if (await world.browser.open(address.href)) return;
  }
  await report.info('No browser can be opened here. Open this address:');
  if (report.wantsJson) await report.info(address.href);
  else await report.line(address.href);
}

function webAddress({ id, permalink }: Task): URL {
  const hint = 'Open the web workspace, and search for the task there.';
  if (!permalink)
    throw new Failure('bad_response', { message: `The service returned no permalink of ${id}`, hint });
  const address = URL.canParse(permalink) ? new URL(permalink) : undefined;
  const isWeb = address !== undefined && /^https?:$/.test(address.protocol);
  // In https://workspace.example.com@evil.example, a user takes the text before the @ for the host.
  if (isWeb && address.username === '' && address.password === '') return address;
  throw new Failure('bad_response', {
    message: `The permalink of ${id} cannot be opened: ${formatValue(permalink)}`,
    why: isWeb ? 'it contains a user name or a password' : 'it is not an http or https address',
    hint,
  });
}

/** Over ssh, a browser would open on another machine than the user's, unless BROWSER says how to open one. */
function isRemote({ SSH_CONNECTION, SSH_TTY, BROWSER }: Environment): boolean {
  return Boolean(SSH_CONNECTION || SSH_TTY) && !BROWSER;
}
