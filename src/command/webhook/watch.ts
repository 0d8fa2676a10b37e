// `wm webhook watch`: says when a webhook is suspended, resumed, new or missing.

import { Failure, usageError } from '../../failure.ts';
import { command } from '../command.ts';
import type { Context } from '../context.ts';
import { booleanFlag, integerFlag, textFlag } from '../flag.ts';
import { webhookColumns } from './display/columns.ts';
import { observeWebhooks } from './local/observe.ts';
import { listAll, statusOf } from './select/read-webhook.ts';
import { selectWebhooks } from './select/select-webhooks.ts';
import { readWatched, type WatchedWebhooks } from './watch/poll.ts';
import { watchColumns } from './watch/watch-event.ts';
import { statusesOf, watchWebhooks } from './watch/watch-loop.ts';

const defaultSeconds = 60;
const leastSeconds = 5;

export default command({
  examples: [
    { description: 'Watch all webhooks of this application', command: 'wm webhook watch --interval 30' },
    {
      description: 'In cron or CI: exit with status 10 if any is suspended',
      command: 'wm webhook watch --once',
    },
    {
      description: 'Run a command on each change',
      command: `wm webhook watch --exec 'mail -s "$WM_WATCH_ID is $WM_WATCH_STATUS" ops@example.com'`,
    },
  ],
  details: `wm reads the webhooks at the interval and prints a line for each change: a status that changed, a new webhook, or one
that is missing. It runs until you press Ctrl-C (exit status 130) or the reader of its output ends (exit status 0). If a
read fails, wm warns and waits longer before the next one.

With --exec, a shell runs the command on each change, one at a time. The command reads the event as JSON on standard input,
and gets WM_WATCH_CHANGE (status, new or missing), WM_WATCH_ID, WM_WATCH_BEFORE, WM_WATCH_STATUS, WM_WATCH_URL and
WM_WATCH_LABEL. Put the variables in quotes: the URL and the status are text from the service. What the command prints goes to
standard error; wm reports an exit status other than 0 and continues.

With --once, wm prints the webhooks that are suspended and exits with status 10 if there are any, otherwise with 0.`,
  pipeColumns: watchColumns,
  arguments: {
    webhook: {
      help: 'the id, label or URL of a webhook, or a part of its label or URL (default: all that are listed)',
      many: true,
      optional: true,
    },
  },
  flags: {
    interval: integerFlag('SECONDS', 'Time between two reads (default: 60)', leastSeconds, 86_400),
    once: booleanFlag('Read once: print the suspended webhooks; exit with status 10 if there are any'),
    exec: textFlag('COMMAND', 'Run this command on each change, with the event on standard input'),
  },
  async run({ arguments: { webhook: given }, flags }, context) {
    const { interval, once = false, exec } = flags;
    if (once && (interval !== undefined || exec !== undefined))
      throw usageError(`--once cannot be combined with ${exec === undefined ? '--interval' : '--exec'}`);
    const ids = given.length === 0 ? undefined : (await selectWebhooks(context, given)).ids;
    const first = await readWatched(context, ids, new Map());
    await observeWebhooks(context, statusesOf(first));
    const missing = ids?.filter((id) => !first.has(id)) ?? [];
    if (once) await showSuspended(context, first);
    if (missing.length > 0)
      throw new Failure('not_found', {
        message: `No webhook found: ${missing.join(', ')}`,
        hint: listAll(context),
      });
    if (once) return;
    const seconds = interval ?? defaultSeconds;
    await context.report.info(
      `Watching ${describeCount(first.size)} every ${seconds} s, of which ${suspendedOf(first).size} suspended. Press Ctrl-C to end.`,
    );
    await watchWebhooks(context, { ids, first, intervalMs: seconds * 1000, exec });
  },
});

function suspendedOf(webhooks: WatchedWebhooks): WatchedWebhooks {
  return new Map([...webhooks].filter(([, one]) => statusOf(one) === 'Suspended'));
}

/** Throws `check_failed` if there are any. */
async function showSuspended({ report }: Context, webhooks: WatchedWebhooks): Promise<void> {
  const suspended = [...suspendedOf(webhooks).values()];
  await report.list({
    columns: webhookColumns,
    records: suspended.map(({ record }) => record),
    raw: suspended.map(({ raw }) => raw),
  });
  if (suspended.length === 0) return report.info(`None of ${describeCount(webhooks.size)} is suspended.`);
  throw new Failure('check_failed', {
    message: `${suspended.length} of ${describeCount(webhooks.size)} ${suspended.length === 1 ? 'is' : 'are'} suspended`,
  });
}

function describeCount(count: number): string {
  return count === 1 ? '1 webhook' : `${count} webhooks`;
}
