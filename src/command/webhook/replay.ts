// `wm webhook replay`: sends stored deliveries to the program behind the receiver again.

import { commandHint, Failure, usageError } from '../../failure.ts';
import { assertPrivateStateFolder } from '../../login/private-folder.ts';
import { command } from '../command.ts';
import type { Context } from '../context.ts';
import { booleanFlag, type ParsedFlags } from '../flag.ts';
import { formatCommandWith } from '../format-command.ts';
import { interruptedFailureWith } from '../interrupt.ts';
import { collectDeliveries, type Selection } from './deliveries/collect-deliveries.ts';
import { filterFlags, toFilter } from './deliveries/delivery-filter.ts';
import { describeMissingNumbers, formatRanges, parseNumbers } from './deliveries/delivery-numbers.ts';
import { createEntrySource, type EntrySource } from './deliveries/entry-source.ts';
import { findJournal } from './deliveries/find-journal.ts';
import { isUnfinished, type KnownDelivery } from './deliveries/known-delivery.ts';
import { openReplays, readReplays, replaysLockPath } from './deliveries/replays-file.ts';
import { journalFlag, journalFlagOf } from './listen/journal-folder.ts';
import { createKnownTitles } from './listen/known-titles.ts';
import { listenDefaults, listenFlags } from './listen/listen-flags.ts';
import { chooseReplayTargets } from './replay/choose-targets.ts';
import { printPlanned, printReplayed, replayColumns } from './replay/print-replayed.ts';
import { type ReplaySummary, replayDeliveries } from './replay/replay-deliveries.ts';

const flags = {
  ...filterFlags,
  deadLetters: booleanFlag('Only those that were given up'),
  forwardTo: {
    ...listenFlags.forwardTo,
    help: 'Send them to this URL (default: where listen forwarded them last)',
  },
  route: {
    ...listenFlags.route,
    help: 'Send the deliveries of this event, or group of events, to this URL instead',
  },
  exec: listenFlags.exec,
  forwardHeader: listenFlags.forwardHeader,
  forwardCa: listenFlags.forwardCa,
  forwardHost: listenFlags.forwardHost,
  forwardTimeout: listenFlags.forwardTimeout,
  concurrency: {
    ...listenFlags.concurrency,
    help: `Send so many at once, of different tasks (default: ${listenDefaults.concurrency})`,
  },
  force: booleanFlag('Also those that a listener still has to forward: they arrive twice'),
  dryRun: booleanFlag('List what would be sent, and send nothing', { short: 'n' }),
  journal: journalFlag,
} as const;

type ReplayFlags = ParsedFlags<typeof flags>;

export default command({
  changes: 'a receiver',
  examples: [
    { description: 'Send one delivery again', command: 'wm webhook replay 1042' },
    {
      description: 'Send the dead letters again, once their cause is removed',
      command: 'wm webhook replay --dead-letters',
    },
    {
      description: 'Send what came in since yesterday to a program on this machine',
      command: 'wm webhook replay --since yesterday --forward-to http://127.0.0.1:3000/hook',
    },
    {
      description: 'See what would be sent',
      command: 'wm webhook replay --last 10 --event TaskStatusChanged --dry-run',
    },
  ],
  details: `Sends deliveries that wm webhook listen has stored, byte for byte as the service sent them, with the headers X-Wm-Delivery
(the number) and X-Wm-Replay: 1. The service is not involved.

They go out in the order in which they came, one at a time for each task or folder. A failure does not stop the others; a target that
cannot be reached does. The exit status is 8 if a target did not take all of them. A dead letter that was replayed is no dead letter any
more.

Without --forward-to, --route or --exec, they go where wm webhook listen forwarded last; the headers of --forward-header are stored
nowhere, so give them again.

With --dry-run, a line in a pipe has the columns of wm webhook log.

A delivery that a listener still has to forward would arrive twice: wm leaves it out, unless --force says otherwise. wm asks before
it sends more than one.`,
  pipeColumns: replayColumns,
  arguments: {
    number: { help: 'the number of a delivery, or a range such as 1042-1050', many: true, optional: true },
  },
  flags,
  handlesInterrupt: true,
  async run({ arguments: { number: typed }, flags: given }, context) {
    const numbers = parseNumbers(typed);
    const { world, report } = context;
    const selection = toSelection(context, given, numbers);
    const folder = await findJournal(context, given.journal);
    // Of the usual folder: what other users could change would be sent as if the service had sent it.
    if (given.journal === undefined) await assertPrivateStateFolder(world);
    const source = createEntrySource(world, folder);
    const targets = await chooseReplayTargets(context, folder, given);
    const titles = createKnownTitles();
    await titles.load(context);
    const selected = await selectDeliveries(context, given, { source, folder, selection, titles });
    if (given.dryRun) {
      await printPlanned(context, selected, titles);
      await report.info(`Would be sent to ${targets.description}. Nothing was sent.`);
      return undefined;
    }
    if (selected.length > 1)
      await context.confirm(`Send ${selected.length} deliveries to ${targets.description}?`);
    const recorder = await openReplays(world, folder);
    if (recorder === undefined) throw await alreadyReplaying(context, folder);
    const ending = new AbortController();
    let interruptedBy: Parameters<typeof interruptedFailureWith>[0] | undefined;
    const ignore = world.process.onInterrupt((signal) => {
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
        concurrency: given.concurrency ?? listenDefaults.concurrency,
        signal: ending.signal,
        onReplayed: (replayed) => printReplayed(context, replayed),
      });
      const goOn = describeRest(context, given, summary);
      if (interruptedBy !== undefined)
        throw interruptedFailureWith(
          interruptedBy,
          describeSummary(summary),
          goOn ?? 'All of them had been sent.',
        );
      const failure = failureOf(summary, goOn);
      if (failure) throw failure;
      await report.info(`${describeSummary(summary)}.`);
      return undefined;
    } finally {
      ignore();
      await recorder.close();
    }
  },
});

/** @throws {Failure} `usage` if nothing says what to replay. */
function toSelection(
  context: Context,
  given: ReplayFlags,
  numbers: Parameters<typeof toFilter>[1],
): Selection {
  const { deadLetters, since, until, event, task, last } = given;
  if (
    numbers.length === 0 &&
    !deadLetters &&
    [since, until, event, task, last].every((flag) => flag === undefined)
  )
    throw usageError(
      'Missing: which deliveries to replay',
      commandHint(
        'Give their numbers, --dead-letters, --last, --since, --event or --task. To list them: ',
        formatCommandWith(context, 'webhook log', [], ...journalFlagOf(context, given.journal)),
      ),
    );
  return {
    filter: toFilter(given, numbers, context.world.clock.now()),
    states: deadLetters ? ['dead'] : [],
    last: last ?? Number.POSITIVE_INFINITY,
  };
}

interface Place {
  readonly source: EntrySource;
  readonly folder: string;
  readonly selection: Selection;
  readonly titles: ReturnType<typeof createKnownTitles>;
}

/** @throws {Failure} `not_found` for a number that is not stored; `usage` for one that a listener still has to forward. */
async function selectDeliveries(
  context: Context,
  given: ReplayFlags,
  { source, folder, selection, titles }: Place,
): Promise<readonly KnownDelivery[]> {
  const { report, world } = context;
  const { deliveries } = await collectDeliveries(source, await readReplays(world, folder), selection, titles);
  const { numbers } = selection.filter;
  const missing = describeMissingNumbers(
    numbers,
    deliveries.map(({ sequence }) => sequence),
  );
  if (missing !== undefined)
    throw new Failure('not_found', {
      message: `No such delivery ${given.deadLetters ? 'is a dead letter' : 'is stored'}: ${missing}`,
      why: 'nothing was sent',
      hint: listHint(context, given),
    });
  if (deliveries.length === 0)
    throw new Failure('not_found', {
      message: given.deadLetters ? 'No dead letter matches' : 'No delivery matches',
      why: 'nothing was sent',
      hint: listHint(context, given),
    });
  const waiting = given.force ? [] : deliveries.filter(isUnfinished);
  if (waiting.length === 0) return deliveries;
  const named = formatRanges(waiting.map(({ sequence }) => sequence));
  const isOne = waiting.length === 1;
  const still = `${isOne ? 'is' : 'are'} still to be forwarded by wm webhook listen, so ${isOne ? 'it' : 'they'} would arrive twice`;
  if (numbers.length > 0)
    throw usageError(`Not replayed: ${named}`, 'To send it all the same, add --force.', `${named} ${still}`);
  const rest = deliveries.filter((known) => !isUnfinished(known));
  if (rest.length === 0)
    throw usageError(`Nothing to replay: ${named} ${still}`, 'To send what waits all the same, add --force.');
  await report.warn(`Left out: ${named} ${still} (--force sends ${isOne ? 'it' : 'them'} all the same).`);
  return rest;
}

function listHint(context: Context, { journal }: ReplayFlags) {
  return commandHint(
    'To list them: ',
    formatCommandWith(context, 'webhook log', [], ...journalFlagOf(context, journal)),
  );
}

async function alreadyReplaying({ world }: Context, folder: string): Promise<Failure> {
  const holder = await world.lock.holder(replaysLockPath(folder));
  return new Failure('other', {
    message: 'Another wm webhook replay is sending deliveries of this journal',
    why: holder === undefined ? undefined : `process ${holder.pid}`,
    hint: 'Wait until it has ended, or end it.',
  });
}

/** `3 deliveries replayed, 1 failed, 2 not sent` */
function describeSummary({
  forwarded,
  failed,
  withoutTarget,
  dropped,
  notSent,
  unknown,
}: ReplaySummary): string {
  const others = [
    ['failed', failed],
    ['with an unknown outcome', unknown],
    ['without a target', withoutTarget],
    ['dropped from the journal meanwhile', dropped],
    ['not sent', notSent],
  ] as const;
  return [
    `${forwarded.length} ${forwarded.length === 1 ? 'delivery' : 'deliveries'} replayed`,
    ...others.flatMap(([words, numbers]) => (numbers.length === 0 ? [] : [`${numbers.length} ${words}`])),
  ].join(', ');
}

/** The command for what no target took; `undefined` if there is nothing left to send. */
function describeRest(
  context: Context,
  { journal, force }: ReplayFlags,
  { failed, notSent, unknown }: ReplaySummary,
): ReturnType<typeof commandHint> | undefined {
  const rest = [...failed, ...notSent, ...unknown].toSorted((one, other) => one - other);
  if (rest.length === 0) return undefined;
  const operands = formatRanges(rest).split(', ');
  const shown = operands.slice(0, mostOperands);
  const more = operands.length - shown.length;
  return commandHint(
    'To send the rest, with the flags of this command: ',
    formatCommandWith(
      context,
      'webhook replay',
      shown,
      ...(force ? ['--force'] : []),
      ...journalFlagOf(context, journal),
    ),
    more === 0 ? '' : ` (and ${more} more)`,
  );
}

const mostOperands = 20;

function failureOf(summary: ReplaySummary, hint: ReturnType<typeof describeRest>): Failure | undefined {
  const { forwarded, failed, dropped, unavailable } = summary;
  if (unavailable !== undefined)
    return new Failure(forwarded.length + failed.length === 0 ? 'network' : 'part_failed', {
      message: `Cannot reach ${unavailable.target}: ${unavailable.outcome}; ${describeSummary(summary)}`,
      why: unavailable.detail,
      hint,
    });
  if (failed.length + dropped.length === 0) return undefined;
  return new Failure('part_failed', { message: describeSummary(summary), hint });
}
