// `wm webhook log`: lists the received deliveries and the outcome of each.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { booleanFlag, listFlag, type ParsedFlags } from '#cli/flags/flag.ts';
import { flagWords, formatCommandWith } from '#cli/format-command.ts';
import { longFlag } from '#cli/print-list.ts';
import { isIdShaped } from '#cli/resolve/id-shape.ts';
import { startProgress } from '#cli/timed-progress.ts';
import { choice, list } from '#contract/schema.ts';
import { words } from '#contract/words.ts';
import { formatLocalTime } from '#dates/local-time.ts';
import { commandHint, Failure, usageError } from '#failure.ts';
import { gather, type Query, queryDeliveries } from '../archive/deliveries/collect-deliveries.ts';
import type { DeliveryArchive } from '../archive/deliveries/delivery-archive.ts';
import { deliveryPipeColumns } from '../archive/deliveries/delivery-columns.ts';
import {
  describeMissingNumbers,
  filterFlags,
  parseNumbers,
  toFilter,
} from '../archive/deliveries/delivery-filter.ts';
import { createTitleCache } from '../archive/deliveries/delivery-summary.ts';
import { deliveryStates } from '../archive/deliveries/logged-delivery.ts';
import type { Selection } from '../archive/deliveries/select-deliveries.ts';
import { followDeliveries } from '../archive/log-output/follow-deliveries.ts';
import { printDeliveries, printGaps, printUnknown } from '../archive/log-output/print-deliveries.ts';
import { printBody, printDetails } from '../archive/log-output/print-details.ts';
import { printStuck } from '../archive/log-output/print-stuck.ts';
import { type StorageFlags, storageFlags, storageFlagsOf } from '../archive/storage-flags.ts';
import { withDeliveryArchive } from '../sink/open-archive.ts';

const shownOnTerminal = 20;

const noTitles = { find: () => undefined } as const;

const logFlags = {
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
  ...storageFlags,
} as const;

export default command({
  changes: 'nothing',
  examples: {
    'Show the latest deliveries': 'wm webhook log',
    'Show one delivery: headers, body and each attempt': 'wm webhook log 1042',
    'See what has not been forwarded, and why': 'wm webhook log --stuck',
    'List the dead letters': 'wm webhook log --dead-letters',
    'Show the deliveries about a task since yesterday':
      'wm webhook log --task IEAAAAAQKQAB5BNG --since yesterday',
    'Follow the deliveries about tasks': 'wm webhook log --follow --event task',
    'List the dead letters of a sink':
      'wm webhook log --dead-letters --sink nats://nats-1.example.com,nats-2.example.com,nats-3.example.com/DELIVERIES',
    'Write the body to a file, byte for byte': 'wm webhook log 1042 --body > body.json',
  },
  details: `Shows the deliveries that wm webhook listen has stored, the newest last: events, task, signature, how often the service sent
it again, and how it was forwarded. It reads the files of the listener, which may be running, and changes nothing.

The states: waiting (no attempt yet), retrying (the last attempt failed, another follows), forwarded, no-target (stored only),
dead (given up: a dead letter), replayed (a dead letter that wm webhook replay has sent since, or that is in a sink now) and unknown (no listener forwards it
any more, but its last attempts were dropped from the journal).

The receiver responded with 200 to each delivery that is listed, once it was on the disk, and to each duplicate. Requests that it
did not store are counted by reason, on standard error; nothing of their content is kept.

With --follow, wm prints a line when a delivery comes in, after each attempt to forward it, and when it is replayed. Ctrl-C ends it,
with exit status 130.

--stuck prints a line for each target that deliveries have not reached: how many wait for their first attempt, are retried, or are
dead letters; the oldest of them; the last failure; and, if nothing reaches the target, since when and why. In a pipe: target, waiting,
retrying, dead, oldest, since, outcome, failed, unreachable, fault.

The listener drops old deliveries, and wm says which numbers are missing. The service itself has no log of deliveries: what it sent
while no receiver ran cannot be shown. --gaps lists those times: from, to (empty if no receiver has started since), and how each began:
stopped, or ended if the receiver was killed some time after its last delivery.

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
  firstFlags: words('since until event task last state deadLetters follow body journal'),
  flags: logFlags,
  async run({ arguments: { number }, flags }, context) {
    const numbers = parseNumbers(number);
    assertCombinable(flags, numbers.length > 0);
    const selection = toSelection(context, flags, numbers);
    await withDeliveryArchive(context, flags, async (archive) => {
      const endProgress = startProgress(context, () => 'Reading the deliveries...');
      const print = async () => {
        if (flags.gaps) await printGaps(context, archive.folder);
        else if (flags.stuck) await printStuck(context, archive, storageFlagsOf(flags));
        else await printSelected(context, archive, selection, flags, endProgress);
      };
      await print().finally(endProgress);
    });
  },
});

type LogFlags = ParsedFlags<typeof logFlags>;

async function printSelected(
  context: Context,
  { source, replays }: DeliveryArchive,
  selection: Selection,
  flags: LogFlags,
  endProgress: () => void,
): Promise<void> {
  const { report } = context;
  const { numbers } = selection.filter;
  const titles = createTitleCache();
  await titles.load(context);
  const replayed = await replays.read();
  const ending = new AbortController();
  const follow = flags.follow ? ending.signal : undefined;
  const query = await queryDeliveries(source, replayed, { ...selection, follow }, titles);
  let missing: string | undefined;
  let count = 0;
  if (numbers.length === 0) count = await printDeliveries(context, query.parts, titles, flags, endProgress);
  else {
    const deliveries = await gather(query.parts);
    endProgress();
    missing = describeMissingNumbers(numbers, deliveries);
    if (flags.body && deliveries.length > 0) return printBody(context, source, deliveries);
    if (flags.body) throw notStored(context, flags, missing);
    const showBody = (sequence: number) =>
      formatCommandWith(context, 'webhook log', [String(sequence)], '--body', ...storageFlagsOf(flags));
    await printDetails(context, deliveries, titles, source, showBody);
  }
  endProgress();
  await printUnknown(report, query);
  if (replayed.unreadable > 0)
    await report.warn(
      `Skipped ${countOf(replayed.unreadable, 'line')} in ${replays.name}: damaged, or written by a newer wm`,
    );
  if (missing !== undefined) throw notStored(context, flags, missing);
  if (flags.follow) {
    const options = { source, selection, titles, query, replays, shownReplays: replayed };
    await followDeliveries(context, options, ending);
  } else if (numbers.length === 0) await explainList(context, query, count, selection, flags);
}

/** @throws {Failure} `usage` for flags that do not go together. */
function assertCombinable({ gaps, stuck, ...selecting }: LogFlags, hasNumbers: boolean): void {
  const { body, follow } = selecting;
  const isSelecting = ([name, flag]: readonly [string, unknown]) =>
    !(name in storageFlags) && flag !== undefined && flag !== false;
  const selectsMore = hasNumbers || Object.entries(selecting).some(isSelecting);
  const alone = gaps ? '--gaps' : stuck ? '--stuck' : undefined;
  if (alone !== undefined && (selectsMore || (gaps && stuck)))
    throw usageError(`${alone} cannot be combined with anything but --journal or --sink`);
  if (body && follow) throw usageError('--body cannot be combined with --follow', 'Leave out one of them.');
  if (body && !hasNumbers) throw usageError('--body needs the number of a delivery');
  if (follow && hasNumbers)
    throw usageError('--follow cannot be combined with a number', 'To follow one task, give --task.');
}

function toSelection({ world, report }: Context, flags: LogFlags, numbers: Parameters<typeof toFilter>[1]) {
  const isForPerson = world.streams.output.isTerminal && !report.wantsJson;
  const states = [...(flags.state ?? []), ...(flags.deadLetters ? (['dead'] as const) : [])];
  const defaultLast = isForPerson && numbers.length === 0 ? shownOnTerminal : Number.POSITIVE_INFINITY;
  return {
    filter: toFilter(flags, numbers, world.clock.now()),
    states: [...new Set(states)],
    last: flags.last ?? defaultLast,
  };
}

function notStored(context: Context, flags: StorageFlags, numbers = ''): Failure {
  return new Failure('not_found', {
    message: `Delivery not found: ${numbers}`,
    hint: commandHint(
      'To list the last ones: ',
      formatCommandWith(context, 'webhook log', [], ...storageFlagsOf(flags)),
    ),
  });
}

async function explainList(
  context: Context,
  { isEmpty, isComplete, backlog }: Query,
  count: number,
  { last, filter: { subjectId } }: Selection,
  flags: StorageFlags,
): Promise<void> {
  const { report } = context;
  if (count === 0) {
    await report.info(isEmpty ? 'No deliveries are stored.' : 'No delivery matches.');
    if (subjectId !== undefined && !isIdShaped(subjectId))
      await report.info(
        `--task takes an id, and ${JSON.stringify(subjectId)} is not one. To find the id of a task: ${formatCommandWith(context, 'task list', [], ...flagWords('--title', subjectId))}`,
      );
  } else if (!isComplete || count === last) await report.info(`The last ${count}; --last N shows more.`);
  const { unfinished, oldest } = await backlog();
  if (unfinished > 0)
    await report.info(
      `${countOf(unfinished, 'delivery is', 'deliveries are')} not forwarded yet${oldest === undefined ? '' : `, the oldest of ${formatLocalTime(oldest)}`}. To see why: ${formatCommandWith(context, 'webhook log', [], '--stuck', ...storageFlagsOf(flags))}`,
    );
}
