// `wm webhook replay`: sends stored deliveries to the program behind the receiver again.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { booleanFlag, type ParsedFlags } from '#cli/flags/flag.ts';
import { formatCommandWith, formatRepeatedCommand } from '#cli/format-command.ts';
import { interruptedFailureWith } from '#cli/interrupt.ts';
import { words } from '#contract/words.ts';
import { commandHint, Failure, joinHints, toFailure, usageError } from '#failure.ts';
import { assertPrivateStateFolder } from '#login/private-folder.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import type { Column } from '#terminal/table.ts';
import { collectDeliveries } from '../archive/deliveries/collect-deliveries.ts';
import type { DeliveryArchive } from '../archive/deliveries/delivery-archive.ts';
import {
  deliveryColumns,
  deliveryPipeColumns,
  isoTime,
  toDeliveryJson,
} from '../archive/deliveries/delivery-columns.ts';
import * as filters from '../archive/deliveries/delivery-filter.ts';
import { listSome } from '../archive/deliveries/delivery-line.ts';
import { createTitleCache, type TitleCache } from '../archive/deliveries/delivery-summary.ts';
import { isUnfinished, type LoggedDelivery, routedEventsOf } from '../archive/deliveries/logged-delivery.ts';
import type { Selection } from '../archive/deliveries/select-deliveries.ts';
import { chooseReplayTargets, type ReplayTargets } from '../archive/replaying/choose-targets.ts';
import {
  type Replayed,
  type ReplaySummary,
  replayDeliveries,
} from '../archive/replaying/replay-deliveries.ts';
import { requestRetry } from '../archive/replaying/retry-request.ts';
import {
  concurrencyFlag,
  namesTargets,
  requestFlags,
  targetDefaults,
  targetFlags,
  unknownTarget,
} from '../archive/replaying/target-flags.ts';
import { type StorageFlags, storageFlags, storageFlagsOf } from '../archive/storage-flags.ts';
import { withDeliveryArchive } from '../sink/open-archive.ts';

const replayColumns: readonly Column<Replayed>[] = [
  { title: 'sequence', cell: ({ delivery }) => String(delivery.sequence) },
  { title: 'events', cell: ({ delivery }) => delivery.events.join(',') },
  { title: 'ids', cell: ({ delivery }) => delivery.ids.join(',') },
  { title: 'target', cell: ({ replay }) => replay.target },
  { title: 'outcome', cell: ({ replay }) => replay.outcome },
  { title: 'milliseconds', cell: ({ replay }) => String(replay.milliseconds) },
  { title: 'verdict', cell: ({ replay }) => replay.verdict },
];

const replayFlags = {
  ...filters.filterFlags,
  deadLetters: booleanFlag('Only dead letters'),
  waiting: booleanFlag(
    'Have the running receiver retry at once what waits, rather than send anything itself',
  ),
  forwardTo: {
    ...targetFlags.forwardTo,
    help: 'Send them to this URL (default: where they were forwarded last)',
  },
  route: {
    ...targetFlags.route,
    help: 'Send the deliveries of this event, or group of events, to this URL instead',
  },
  exec: targetFlags.exec,
  ...requestFlags,
  concurrency: {
    ...concurrencyFlag,
    help: `Send up to this many at once, of different tasks (default: ${targetDefaults.concurrency})`,
  },
  force: booleanFlag('Include deliveries that a listener still has to forward: they arrive twice'),
  dryRun: booleanFlag('List what would be sent, and send nothing', { short: 'n' }),
  ...storageFlags,
} as const;

type ReplayFlags = ParsedFlags<typeof replayFlags>;

export default command({
  changes: 'a receiver',
  examples: {
    'Send one delivery again': 'wm webhook replay 1042',
    'Send the dead letters again, once their cause is removed': 'wm webhook replay --dead-letters',
    'Send what came in since yesterday to a program on this machine':
      'wm webhook replay --since yesterday --forward-to http://127.0.0.1:3000/hook',
    'Have the running receiver retry now what waits, once its cause is removed':
      'wm webhook replay --waiting',
    'Send the dead letters of a sink again':
      'wm webhook replay --dead-letters --sink nats://nats-1.example.com,nats-2.example.com,nats-3.example.com/DELIVERIES',
    'See what would be sent': 'wm webhook replay --last 10 --event TaskStatusChanged --dry-run',
  },
  details: `Sends deliveries that wm webhook listen has stored, byte for byte as the service sent them, with the headers X-Wm-Delivery
(the number) and X-Wm-Replay: 1. The service is not involved.

They are sent in the order received, one at a time for each task or folder. wm continues after a failed delivery, and stops if a target
cannot be reached. The exit status is 8 if a target did not accept all of them. A dead letter that was replayed no longer counts as one.

Without --forward-to, --route or --exec, they go to the last targets of wm webhook listen. The headers of --forward-header are not
stored: give them again.

With --sink, they come from a sink, where the replay is recorded too, and go to the targets of its forwarders. Give --forward-to if such
a target is a URL with a query, which forwarders do not record, or a program on another machine.

With --dry-run, a line in a pipe has the columns of wm webhook log.

wm leaves out a delivery that a listener still has to forward, because it would arrive twice; --force includes it. --waiting has the running
receiver retry all of these at once, in order and to its own targets, even where a target asked it to wait with Retry-After. wm asks before it
sends more than one.`,
  pipeColumns: replayColumns,
  arguments: {
    number: { help: 'the number of a delivery, or a range such as 1042-1050', many: true, optional: true },
  },
  firstFlags: words('since event task last deadLetters forwardTo exec force dryRun journal'),
  flags: replayFlags,
  handlesInterrupt: true,
  async run({ arguments: { number }, flags }, context) {
    if (flags.waiting) return void (await retryWaiting(context, flags, number));
    const selection = toSelection(context, flags, filters.parseNumbers(number));
    await withDeliveryArchive(context, flags, (archive) => replay(context, flags, archive, selection));
  },
});

/** @throws {Failure} `other` if no receiver responds. */
async function retryWaiting(context: Context, flags: ReplayFlags, numbers: readonly string[]) {
  const { waiting: _, journal: __, ...others } = flags;
  if (numbers.length > 0 || Object.values(others).some((flag) => flag !== undefined && flag !== false))
    throw usageError(
      '--waiting cannot be combined with anything but --journal',
      'The running receiver retries all that waits. A sink itself hands out what is due, within five minutes.',
    );
  await withDeliveryArchive(context, flags, async ({ folder = '', describeForwarders }) => {
    if (!(await requestRetry(context.world, folder)))
      throw new Failure('other', { message: 'No receiver has responded', hint: await describeForwarders() });
    await context.report.info(
      `The running receiver retries now, in order. To see what still waits: ${logCommand(context, flags, '--stuck')}`,
    );
  });
}

async function replay(context: Context, flags: ReplayFlags, archive: DeliveryArchive, selection: Selection) {
  const { world, report } = context;
  const { source, folder, replays } = archive;
  // Other users must not be able to change the default folder: wm would send their changes as the service's deliveries.
  if (folder !== undefined && flags.journal === undefined) await assertPrivateStateFolder(world);
  const last = namesTargets(flags) ? {} : await archive.lastTarget();
  if ('problem' in last) throw unknownTarget(last.problem);
  const targets = await chooseReplayTargets(context, last, flags);
  const titles = createTitleCache();
  await titles.load(context);
  const selected = await selectDeliveries(context, flags, archive, selection, titles, targets);
  if (flags.dryRun) {
    await printPlanned(context, selected, titles);
    await report.info(`Would be sent to ${targets.description}. Nothing was sent.`);
    return;
  }
  if (selected.length > 1)
    await context.confirm(`Send ${selected.length} deliveries to ${targets.description}?`);
  const recorder = await replays.open();
  const ending = new AbortController();
  let interruptedBy: Parameters<typeof interruptedFailureWith>[0] | undefined;
  let outputFault: unknown;
  const stopListening = world.process.onInterrupt((signal) => {
    interruptedBy = signal;
    ending.abort();
  });
  try {
    const summary = await replayDeliveries({
      source,
      deliveries: selected,
      chooseTargets: targets.choose,
      recorder,
      clock: world.clock,
      concurrency: flags.concurrency ?? targetDefaults.concurrency,
      signal: ending.signal,
      // Its record has each outcome, so a full disk for the output does not end the replay.
      onReplayed: (replayed) =>
        printReplayed(context, replayed).catch((error: unknown) => {
          outputFault ??= error;
        }),
    });
    const restHint = describeRest(context, summary);
    if (interruptedBy !== undefined && summary.unrecorded.length === 0)
      throw interruptedFailureWith(
        interruptedBy,
        describeSummary(summary),
        restHint ?? 'All of them had been sent.',
      );
    const failure = failureOf(summary, restHint) ?? outputFault;
    if (failure !== undefined) throw failure;
    await report.info(`${describeSummary(summary)}.`);
  } finally {
    stopListening();
    await recorder.close();
  }
}

function toSelection(
  context: Context,
  flags: ReplayFlags,
  numbers: Parameters<typeof filters.toFilter>[1],
): Selection {
  const { deadLetters, since, until, event, task, last } = flags;
  if (
    numbers.length === 0 &&
    !deadLetters &&
    [since, until, event, task, last].every((flag) => flag === undefined)
  )
    throw usageError(
      'Missing: which deliveries to replay',
      commandHint(
        'Give their numbers, --dead-letters, --last, --since, --event or --task. To list them: ',
        logCommand(context, flags),
      ),
    );
  return {
    filter: filters.toFilter(flags, numbers, context.world.clock.now()),
    states: deadLetters ? ['dead'] : [],
    last: last ?? Number.POSITIVE_INFINITY,
  };
}

/** @throws {Failure} `not_found` for a number that is not stored; `usage` for one that a listener still has to forward. */
async function selectDeliveries(
  context: Context,
  flags: ReplayFlags,
  { source, replays }: DeliveryArchive,
  selection: Selection,
  titles: TitleCache,
  targets: ReplayTargets,
): Promise<readonly LoggedDelivery[]> {
  const { report } = context;
  const { deliveries } = await collectDeliveries(source, await replays.read(), selection, titles);
  const { numbers } = selection.filter;
  const missing = filters.describeMissingNumbers(numbers, deliveries);
  if (missing !== undefined || deliveries.length === 0) {
    const [notFound, noMatch] = flags.deadLetters
      ? ['Not a dead letter', 'No dead letter matches']
      : ['Delivery not found', 'No delivery matches'];
    throw new Failure('not_found', {
      message: missing === undefined ? noMatch : `${notFound}: ${missing}`,
      why: 'nothing was sent',
      hint: commandHint('To list them: ', logCommand(context, flags)),
    });
  }
  const waiting = flags.force ? [] : deliveries.filter((delivery) => mayArriveTwice(delivery, targets));
  if (waiting.length === 0) return deliveries;
  const named = filters.formatRanges(waiting.map(({ sequence }) => sequence));
  const isOne = waiting.length === 1;
  const still = `wm ${flags.sink === undefined ? 'webhook listen' : 'webhook forward'} will still forward ${named}, so ${isOne ? 'it' : 'they'} would arrive twice`;
  if (numbers.length > 0)
    throw usageError(`Not replayed: ${named}`, 'To send it anyway, add --force.', still);
  const rest = deliveries.filter((delivery) => !mayArriveTwice(delivery, targets));
  if (rest.length === 0)
    throw usageError(`Nothing to replay: ${still}`, `To send ${isOne ? 'it' : 'them'} anyway, add --force.`);
  await report.warn(`Left out: ${still} (--force sends ${isOne ? 'it' : 'them'} anyway).`);
  return rest;
}

/** False if each target of the replay has had its last attempt, and only another target still waits. */
function mayArriveTwice(delivery: LoggedDelivery, { choose }: ReplayTargets): boolean {
  if (!isUnfinished(delivery)) return false;
  const targets = choose(routedEventsOf(delivery));
  const isSettled = (name: string) => {
    const last = delivery.attempts.findLast(({ target }) => target === name);
    return last !== undefined && last.verdict !== 'retry';
  };
  return targets.length === 0 || !targets.every(({ name }) => isSettled(name));
}

const logCommand = (context: Context, flags: StorageFlags, ...more: readonly string[]) =>
  formatCommandWith(context, 'webhook log', [], ...more, ...storageFlagsOf(flags));

/** `3 deliveries replayed, 1 failed, 2 not sent` */
function describeSummary(summary: ReplaySummary): string {
  const { forwarded } = summary;
  const details = [
    ['failed', summary.failed],
    ['with an unknown outcome', summary.unknown],
    ['without a target', summary.withoutTarget],
    ['dropped from the journal meanwhile', summary.dropped],
    ['not sent', summary.notSent],
  ] as const;
  return [
    `${forwarded.length} ${forwarded.length === 1 ? 'delivery' : 'deliveries'} replayed`,
    ...details.flatMap(([words, numbers]) => (numbers.length === 0 ? [] : [`${numbers.length} ${words}`])),
  ].join(', ');
}

/** Returns the command that sends the rest; `undefined` if all is sent. */
function describeRest(context: Context, { failed, notSent, unknown }: ReplaySummary) {
  const rest = [...failed, ...notSent, ...unknown].toSorted((a, b) => a - b);
  if (rest.length === 0) return undefined;
  const operands = filters.formatRanges(rest).split(', ');
  const shown = operands.slice(0, mostOperands);
  const more = operands.length - shown.length;
  return commandHint(
    'To send the rest: ',
    formatRepeatedCommand(context, 'webhook replay', shown, selectingFlags),
    more === 0 ? '' : ` (and ${more} more)`,
  );
}

const mostOperands = 20;
/** The numbers replace them. */
const selectingFlags = [...Object.keys(filters.filterFlags), 'deadLetters'];

function failureOf(summary: ReplaySummary, hint: ReturnType<typeof describeRest>): Failure | undefined {
  const { forwarded, failed, dropped, unavailable, unrecorded, recordFault } = summary;
  if (unrecorded.length > 0) {
    const named = filters.formatRanges(unrecorded);
    const was = unrecorded.length === 1 ? 'was' : 'were';
    return new Failure('other', {
      message: `${named} ${was} sent, but could not be recorded; ${describeSummary(summary)}`,
      why: toFailure(recordFault).sentence,
      hint: joinHints([
        'The outcome is only in the lines above: wm webhook log does not show it.',
        ...(hint === undefined ? [] : [hint]),
      ]),
    });
  }
  if (unavailable !== undefined)
    return new Failure(forwarded.length + failed.length === 0 ? 'network' : 'part_failed', {
      message: `Cannot reach ${unavailable.target}: ${unavailable.outcome}; ${describeSummary(summary)}`,
      why: unavailable.detail,
      hint,
    });
  if (failed.length + dropped.length === 0) return undefined;
  return new Failure('part_failed', { message: describeSummary(summary), hint });
}

async function printReplayed({ report, world }: Context, replayed: Replayed): Promise<void> {
  if (world.streams.output.isTerminal && !report.wantsJson)
    await report.line(sanitizeLine(describeReplayed(replayed)));
  else
    await report
      .asMessages()
      .each({ columns: replayColumns, records: [replayed], raw: [toReplayedJson(replayed)] });
}

/** `#1042 TaskStatusChanged  http://127.0.0.1:3000/hook  500 in 12 ms: no such table` */
function describeReplayed({ delivery, replay, detail }: Replayed): string {
  const { target, outcome, milliseconds, verdict } = replay;
  const name = `#${delivery.sequence} ${listSome(delivery.events)}`.trimEnd();
  const line = `${name}  ${target}  ${outcome} in ${milliseconds} ms`;
  return verdict === 'forwarded' || detail === undefined ? line : `${line}: ${detail}`;
}

function toReplayedJson({ delivery: { events, ids }, replay, detail }: Replayed): object {
  const { sequence, time, ...rest } = replay;
  return { sequence, time: isoTime(time), events, ids, ...rest, detail };
}

async function printPlanned(
  { report, world }: Pick<Context, 'report' | 'world'>,
  deliveries: readonly LoggedDelivery[],
  titles: Pick<TitleCache, 'find'>,
): Promise<void> {
  const columns = world.streams.output.isTerminal ? deliveryColumns(titles) : deliveryPipeColumns(titles);
  const raw = deliveries.map((delivery) => toDeliveryJson(delivery, titles));
  await report.each({ columns, records: deliveries, raw });
}
