// `wm webhook log`: lists the received deliveries and the outcome of each.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { booleanFlag, listFlag, type ParsedFlags } from '#cli/flags/flag.ts';
import { flagWords, formatCommandWith } from '#cli/format-command.ts';
import { startListProgress } from '#cli/list-progress.ts';
import { longFlag } from '#cli/print-list.ts';
import { isIdShaped } from '#cli/resolve/id-shape.ts';
import { choice, list } from '#contract/schema.ts';
import { commandHint, Failure, usageError } from '#failure.ts';
import { type Collected, collectDeliveries, type Selection } from './deliveries/collect-deliveries.ts';
import { deliveryPipeColumns, isoTime } from './deliveries/delivery-columns.ts';
import { filterFlags, toFilter } from './deliveries/delivery-filter.ts';
import { describeMissingNumbers, parseNumbers } from './deliveries/delivery-numbers.ts';
import type { DeliveryPlace } from './deliveries/delivery-place.ts';
import { type EntrySource, readStored } from './deliveries/entry-source.ts';
import { deliveryStates } from './deliveries/logged-delivery.ts';
import { type PlaceFlags, placeFlags, placeFlagsOf } from './deliveries/place-flags.ts';
import type { Replays } from './deliveries/replays-file.ts';
import { createKnownTitles, type KnownTitles } from './listening/known-titles.ts';
import { followDeliveries } from './log-output/follow-deliveries.ts';
import { printDeliveries, printGaps } from './log-output/print-deliveries.ts';
import { droppedMeanwhile, printBody, printDetails } from './log-output/print-details.ts';
import { printStuck } from './log-output/print-stuck.ts';
import { printUnknown } from './log-output/print-unknown.ts';
import { findStuck } from './log-output/stuck-targets.ts';
import { openDeliveryPlace } from './open-place.ts';

/** How many a terminal shows without --last. */
const shownOnTerminal = 20;

const noTitles = { find: () => undefined } as const;

const stuckSelection: Selection = {
  filter: toFilter({}, [], 0),
  states: ['waiting', 'retrying', 'dead'],
  last: Number.POSITIVE_INFINITY,
};

const flags = {
  ...filterFlags,
  last: {
    ...filterFlags.last,
    help: `Only the last N of them (default: ${shownOnTerminal} on a terminal, all in a pipe)`,
  },
  state: listFlag(list(choice('DeliveryState', deliveryStates)), 'STATE', 'Only deliveries in this state'),
  deadLetters: booleanFlag('Only dead letters; the same as --state dead'),
  follow: booleanFlag('Then print what happens, until you press Ctrl-C', { short: 'f' }),
  body: booleanFlag('Print only the body of one delivery, byte for byte'),
  stuck: booleanFlag('List the targets that deliveries have not reached: how many, since when, and why'),
  gaps: booleanFlag('List the times in which no receiver ran'),
  long: longFlag,
  ...placeFlags,
} as const;

export default command({
  changes: 'nothing',
  examples: [
    { description: 'Show what came in last', command: 'wm webhook log' },
    { description: 'Show one delivery: headers, body and each attempt', command: 'wm webhook log 1042' },
    { description: 'See what has not been forwarded, and why', command: 'wm webhook log --stuck' },
    { description: 'List the dead letters', command: 'wm webhook log --dead-letters' },
    {
      description: 'Show what came in about a task since yesterday',
      command: 'wm webhook log --task IEAAAAAQKQAB5BNG --since yesterday',
    },
    { description: 'Follow what comes in', command: 'wm webhook log --follow --event task' },
    {
      description: 'List the dead letters of a sink',
      command:
        'wm webhook log --dead-letters --sink nats://nats-1.example.com,nats-2.example.com,nats-3.example.com/DELIVERIES',
    },
    {
      description: 'Write the body to a file, byte for byte',
      command: 'wm webhook log 1042 --body > body.json',
    },
  ],
  details: `Shows the deliveries that wm webhook listen has stored, the newest last: events, task, signature, how often the service sent
it again, and how it was forwarded. It reads the files of the listener, which may be running, and changes nothing.

The states: waiting (no attempt yet), retrying (the last attempt failed, another follows), forwarded, no-target (stored only),
dead (given up: a dead letter), replayed (a dead letter that wm webhook replay has sent since, or that is in a sink now) and unknown (no listener forwards it
any more, but its last attempts were dropped from the journal).

The receiver responded with 200 to each delivery that is listed, once it was on the disk, and to each duplicate. Requests that it
did not store are counted by reason, on standard error; nothing of their content is kept.

With --follow, wm prints a line whenever something becomes known about a delivery: when it comes in, after each attempt, and when
it is replayed. Ctrl-C ends it, with exit status 130.

--stuck prints a line for each target that deliveries have not reached: how many wait for their first attempt, are retried, or are
dead letters; the oldest of them; the last failure; and, if nothing reaches the target, since when and why. In a pipe: target, waiting,
retrying, dead, oldest, since, outcome, failed, unreachable, fault.

The listener drops old deliveries, and wm says which numbers are missing. The service itself has no log of deliveries: what came
while no receiver ran cannot be shown. --gaps lists those times: from, to (empty if none has started since), and how they began:
stopped, or ended, when a receiver was killed some time after its last delivery.

With --sink, wm reads the streams in which several receivers store deliveries, in place of a journal. The outcome of a delivery appears
there a moment later. --gaps cannot be combined with it: a sink does not record when each of its receivers ran.`,
  pipeColumns: deliveryPipeColumns(noTitles),
  arguments: {
    number: {
      help: 'the number of a delivery, or a range such as 1042-1050: shows headers, body and attempts',
      many: true,
      optional: true,
    },
  },
  firstFlags: [
    'since',
    'until',
    'event',
    'task',
    'last',
    'state',
    'deadLetters',
    'follow',
    'body',
    'journal',
  ],
  flags,
  async run({ arguments: { number: typed }, flags: given }, context) {
    const numbers = parseNumbers(typed);
    assertCombinable(given, numbers.length > 0);
    const selection = toSelection(context, given, numbers);
    const place = await openDeliveryPlace(context, given);
    try {
      if (given.gaps) await printGapsOf(context, place);
      else if (given.stuck) await printStuckOf(context, place, given);
      else await printSelected(context, place, selection, { typed, given });
      return undefined;
    } finally {
      await place.close();
    }
  },
});

type LogFlags = ParsedFlags<typeof flags>;

interface Asked {
  readonly typed: readonly string[];
  readonly given: LogFlags;
}

async function printGapsOf(context: Context, { folder }: DeliveryPlace): Promise<void> {
  if (folder === undefined)
    throw usageError(
      '--gaps and --sink cannot be combined',
      'When no receiver responded is known to what watches them: the load balancer, or what reads --metrics.',
      'a sink does not record when each of its receivers ran, and one that was killed looks like one that gets nothing',
    );
  await printGaps(context, folder);
}

async function printStuckOf(context: Context, place: DeliveryPlace, given: LogFlags): Promise<void> {
  const titles = createKnownTitles();
  const collected = await collect(context, place.source, stuckSelection, titles, await place.replays.read());
  const stuck = findStuck(collected.deliveries, await place.forwarding());
  await printStuck(context, { stuck, place, placeFlags: placeFlagsOf(given) });
}

async function printSelected(
  context: Context,
  { source, replays }: DeliveryPlace,
  selection: Selection,
  { typed, given }: Asked,
): Promise<void> {
  const { report } = context;
  const { numbers } = selection.filter;
  const titles = createKnownTitles();
  await titles.load(context);
  const replayed = await replays.read();
  const collected = await collect(context, source, selection, titles, replayed);
  if (given.body) return printOneBody(context, source, collected, { typed, given });
  const missing = describeMissingNumbers(
    numbers,
    collected.deliveries.map(({ sequence }) => sequence),
  );
  const showBody = (sequence: number) =>
    formatCommandWith(context, 'webhook log', [String(sequence)], '--body', ...placeFlagsOf(given));
  if (numbers.length > 0) await printDetails(context, collected.deliveries, titles, source, showBody);
  else
    await printDeliveries(context, collected.deliveries, titles, {
      isStream: given.follow === true,
      long: given.long,
    });
  await printUnknown(report, collected);
  if (replayed.unreadable > 0)
    await report.warn(
      `Skipped ${countOf(replayed.unreadable, 'line')} in ${replays.name}: damaged, or written by a newer wm`,
    );
  if (missing !== undefined) throw notStored(context, missing, given);
  if (given.follow) {
    const { filter, states } = selection;
    const shown = { shown: collected, shownReplays: replayed };
    await followDeliveries(context, { source, filter, states, titles, replays, ...shown });
  } else if (numbers.length === 0) await explainList(context, collected, selection, given);
}

/** @throws {Failure} `usage` for flags that do not go together. */
function assertCombinable({ gaps, stuck, ...others }: LogFlags, hasNumbers: boolean): void {
  const { body, follow } = others;
  const isGivenToo = ([name, flag]: readonly [string, unknown]) =>
    !(name in placeFlags) && flag !== undefined && flag !== false;
  const hasOthers = hasNumbers || Object.entries(others).some(isGivenToo);
  for (const [name, isGiven, hasMore] of [
    ['--gaps', gaps, hasOthers || stuck],
    ['--stuck', stuck, hasOthers],
  ] as const)
    if (isGiven && hasMore)
      throw usageError(`${name} cannot be combined with anything but --journal or --sink`);
  if (body && follow) throw usageError('--body cannot be combined with --follow', 'Leave out one of them.');
  if (body && !hasNumbers) throw usageError('--body needs the number of a delivery');
  if (follow && hasNumbers)
    throw usageError('--follow cannot be combined with a number', 'To follow one task, give --task.');
}

function toSelection(
  { world, report }: Context,
  given: LogFlags,
  numbers: Parameters<typeof toFilter>[1],
): Selection {
  const isForPerson = world.streams.output.isTerminal && !report.wantsJson;
  const states = [...(given.state ?? []), ...(given.deadLetters ? (['dead'] as const) : [])];
  const usual = isForPerson && numbers.length === 0 ? shownOnTerminal : Number.POSITIVE_INFINITY;
  return {
    filter: toFilter(given, numbers, world.clock.now()),
    states: [...new Set(states)],
    last: given.last ?? usual,
  };
}

async function collect(
  context: Context,
  source: EntrySource,
  selection: Selection,
  titles: KnownTitles,
  replays: Replays,
): Promise<Collected> {
  const endProgress = startListProgress(context, () => 'Reading the deliveries...');
  try {
    return await collectDeliveries(source, replays, selection, titles);
  } finally {
    endProgress();
  }
}

async function printOneBody(
  context: Context,
  source: EntrySource,
  { deliveries: [known, ...more] }: Collected,
  { typed, given }: Asked,
): Promise<void> {
  if (known === undefined) throw notStored(context, typed.join(', '), given);
  if (more.length > 0) throw usageError('--body prints one delivery', 'Give a single number.');
  const stored = await readStored(source, known.sequence);
  if (stored === undefined) throw droppedMeanwhile(known.sequence);
  await printBody(context, stored);
}

function notStored(context: Context, numbers: string, given: PlaceFlags): Failure {
  return new Failure('not_found', {
    message: `No such delivery is stored: ${numbers}`,
    hint: commandHint(
      'To list the last ones: ',
      formatCommandWith(context, 'webhook log', [], ...placeFlagsOf(given)),
    ),
  });
}

/** Explains what a short or empty list leaves out. */
async function explainList(
  context: Context,
  { deliveries, isEmpty, isComplete, unfinished: { unfinished, oldestUnfinished } }: Collected,
  { last, filter: { subjectId } }: Selection,
  given: PlaceFlags,
): Promise<void> {
  const { report } = context;
  if (deliveries.length === 0) {
    await report.info(isEmpty ? 'No deliveries are stored.' : 'No delivery matches.');
    if (subjectId !== undefined && !isIdShaped(subjectId))
      await report.info(
        `--task takes an id, and ${JSON.stringify(subjectId)} is none. To find the id of a task: ${formatCommandWith(context, 'task list', [], ...flagWords('--title', subjectId))}`,
      );
  } else if (!isComplete || deliveries.length === last)
    await report.info(`The last ${deliveries.length}; --last N shows more.`);
  if (unfinished > 0)
    await report.info(
      `${countOf(unfinished, 'delivery is', 'deliveries are')} not forwarded yet${oldestUnfinished === undefined ? '' : `, the oldest of ${isoTime(oldestUnfinished)}`}. To see why: ${formatCommandWith(context, 'webhook log', [], '--stuck', ...placeFlagsOf(given))}`,
    );
}
