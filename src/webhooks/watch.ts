// `wm webhook watch`: reports when a webhook is suspended, resumed, new or missing.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { agree, countOf } from '#cli/count-of.ts';
import { booleanFlag, integerFlag, textFlag } from '#cli/flags/flag.ts';
import { pollRepeatedly } from '#cli/poll-repeatedly.ts';
import { Failure, usageError } from '#failure.ts';
import type { LocalWebhooks } from '#local-records/local-webhook.ts';
import { withinLimit } from '#within-limit.ts';
import { toListed } from './columns.ts';
import { selectWebhooks, webhooksArgument } from './matching/choose.ts';
import { listAll } from './records/hook.ts';
import { verifyFlags } from './verification/verify-flags.ts';
import { createResumer, defaultMaxResumes } from './watching/resume-when-healthy.ts';
import {
  describeEvent,
  eventVariables,
  findChanges,
  readWatched,
  type WatchEvent,
  type WatchedWebhooks,
  watchColumns,
} from './watching/watch-event.ts';

const defaultSeconds = 60;
const minSeconds = 5;

export default command({
  changes: 'the service',
  mayOnlyRead: true,
  examples: {
    'Watch all webhooks of this application': 'wm webhook watch --interval 30',
    'In cron or CI: exit with status 10 if any is suspended': 'wm webhook watch --once',
    'Run a command on each change': `wm webhook watch --exec 'mail -s "$WM_WATCH_ID is $WM_WATCH_STATUS" ops@example.com'`,
    'Resume webhooks whose receivers work again, each at most twice a day':
      'wm webhook watch --resume-when-healthy --max-resumes 2',
  },
  details: `wm reads the webhooks at the interval and prints a line for each change: a status that changed, a new webhook, or one
that is missing. It runs until you press Ctrl-C (exit status 130) or the reader of its output ends (exit status 0). If a
read fails, wm warns and waits longer before the next one.

With --exec, a shell runs the command on each change, one at a time. The command reads the event as JSON on standard input,
and gets WM_WATCH_CHANGE (status, new or missing), WM_WATCH_ID, WM_WATCH_BEFORE, WM_WATCH_STATUS, WM_WATCH_URL and
WM_WATCH_LABEL. Put the variables in quotes: the URL and the status are text from the service. What the command prints goes to
standard error; wm reports an exit status other than 0 and continues. It ends a command after 5 minutes, since it sees no
change meanwhile.

With --resume-when-healthy, wm verifies the receiver of each suspended webhook with all samples, as wm webhook verify does, and
resumes the webhook if it passes. That needs the secret: WM_WEBHOOK_SECRET, or the stored one (wm webhook secret). wm never resumes
a webhook with a note, one that was suspended with wm on this machine, or one that wm has never seen active; it cannot tell who
suspended one elsewhere. wm reports each resumption, or why it did not resume; the wait between attempts doubles, up to 15
minutes.

With --once, wm prints the webhooks that are suspended, in the columns of wm webhook list, and exits with status 10 if
there are any, otherwise with 0.`,
  pipeColumns: watchColumns,
  arguments: {
    webhook: { ...webhooksArgument, help: `${webhooksArgument.help} (default: all that are listed)` },
  },
  flags: {
    interval: integerFlag('SECONDS', 'Time between two reads (default: 60)', minSeconds, 86_400),
    once: booleanFlag('Read once: print the suspended webhooks; exit with status 10 if there are any'),
    exec: textFlag('COMMAND', 'Run this command on each change, with the event on standard input'),
    resumeWhenHealthy: booleanFlag(
      'Resume webhooks that the service suspended once their receivers pass all checks',
    ),
    maxResumes: integerFlag(
      'N',
      `With --resume-when-healthy: the most resumptions of one webhook in 24 hours (default: ${defaultMaxResumes})`,
      1,
      100,
    ),
    within: verifyFlags.within,
  },
  async run({ arguments: { webhook: names }, flags }, context) {
    const { interval, once = false, exec, resumeWhenHealthy = false, maxResumes, within } = flags;
    if (resumeWhenHealthy) await context.assertMayChange();
    if (!resumeWhenHealthy && (maxResumes ?? within) !== undefined)
      throw usageError(
        `--${maxResumes === undefined ? 'within' : 'max-resumes'} needs --resume-when-healthy`,
      );
    if (once && (interval !== undefined || exec !== undefined))
      throw usageError(`--once cannot be combined with ${exec === undefined ? '--interval' : '--exec'}`);
    const selected = names.length === 0 ? undefined : await selectWebhooks(context, names);
    const ids = selected?.hooks.map(({ record }) => record.id);
    const first = await readWatched(context, ids, new Map());
    await (await context.webhookRecords()).observe([...first.values()]);
    const missing = ids?.filter((id) => !first.has(id)) ?? [];
    const seconds = interval ?? defaultSeconds;
    const intervalMs = seconds * 1000;
    const resuming = { maxResumes: maxResumes ?? defaultMaxResumes, intervalMs, verify: flags };
    const resumeHealthy = resumeWhenHealthy ? createResumer(context, resuming) : undefined;
    if (once) await showSuspended(context, (await resumeHealthy?.(first)) ?? first);
    if (missing.length > 0)
      throw new Failure('not_found', {
        message: `No webhook found: ${missing.join(', ')}`,
        hint: listAll(context),
      });
    if (once) return;
    await context.report.info(
      `Watching ${countOf(first.size, 'webhook')} (${suspendedOf(first).size} suspended) every ${seconds} s. Press Ctrl-C to end.`,
    );
    await watchWebhooks(context, { ids, first, intervalMs, exec, resumeHealthy });
  },
});

function suspendedOf(webhooks: WatchedWebhooks): WatchedWebhooks {
  return new Map([...webhooks].filter(([, webhook]) => webhook.record.status === 'Suspended'));
}

async function showSuspended(context: Context, webhooks: WatchedWebhooks): Promise<void> {
  const { report } = context;
  const suspended = [...suspendedOf(webhooks).values()];
  await (await context.webhookRecords()).observe([...webhooks.values()]);
  await report.list(await toListed(context, suspended));
  if (suspended.length === 0) return report.info(`No suspended webhooks (${webhooks.size} checked).`);
  throw new Failure('check_failed', {
    message: `${suspended.length} of ${countOf(webhooks.size, 'webhook')} ${agree(suspended.length, 'is')} suspended`,
  });
}

interface WatchOptions {
  /** By default all listed webhooks. */
  readonly ids: readonly string[] | undefined;
  readonly first: WatchedWebhooks;
  readonly intervalMs: number;
  readonly exec: string | undefined;
  readonly resumeHealthy: ReturnType<typeof createResumer> | undefined;
}

/** Returns once the reader of the output has gone. */
async function watchWebhooks(
  context: Context,
  { ids, first, intervalMs, exec, resumeHealthy }: WatchOptions,
): Promise<void> {
  const { world } = context;
  const records = await context.webhookRecords();
  let previous = first;
  const show = async (now: WatchedWebhooks, local: LocalWebhooks, extra: { readonly byWm?: true } = {}) => {
    const changes = findChanges(previous, now, local);
    previous = now;
    for (const change of changes) {
      const event = { at: new Date(world.clock.now()).toISOString(), ...change, ...extra };
      await print(context, event);
      if (exec !== undefined) await runOnChange(context, exec, event);
    }
  };
  const resume = async () => {
    const after = await resumeHealthy?.(previous);
    if (after) await show(after, await records.read(), { byWm: true });
  };
  await resume();
  await pollRepeatedly(context, {
    what: 'the webhooks',
    intervalMs,
    read: () => readWatched(context, ids, previous),
    async show(now) {
      const local = await records.observe([...now.values()]);
      await show(now, local);
      await resume();
    },
  });
}

/** Prints one line for each event: a table's widths would depend on later events. */
async function print({ report, world }: Context, event: WatchEvent): Promise<void> {
  if (world.streams.output.isTerminal && !report.wantsJson) await report.line(describeEvent(event));
  else await report.each({ columns: watchColumns, records: [event], raw: [event] });
}

const maxOutput = 64 * 1024;
/** While a command runs, wm sees no change. */
const maxCommandMs = 5 * 60_000;

async function runOnChange({ world, report }: Context, command: string, event: WatchEvent): Promise<void> {
  let printed = '';
  const collect = (text: string) => {
    printed = (printed + text).slice(0, maxOutput);
  };
  const child = world.process.start([command], {
    shell: true,
    environment: { ...world.environment, ...eventVariables(event) },
    streams: 'pipe',
    input: `${JSON.stringify(event)}\n`,
    onOutput: collect,
    onErrors: collect,
  });
  // On a terminal, the child gets Ctrl-C directly.
  const stopListening = world.process.onInterrupt((signal) => child.kill(signal));
  const status = await withinLimit(world.clock, maxCommandMs, child.ended, () => undefined);
  stopListening();
  if (status === undefined) {
    child.kill('SIGTERM');
    // Its children may keep its output open forever.
    child.detach();
  }
  if (printed !== '') await report.info(printed.trimEnd());
  if (status === undefined)
    await report.warn(
      `--exec has not ended ${maxCommandMs / 60_000} minutes after the change of ${event.id}; wm continues without it. Start a longer command in the background, with its output redirected.`,
    );
  else if (status !== 0)
    await report.warn(`--exec exited with status ${status} for the change of ${event.id}; wm continues.`);
}
