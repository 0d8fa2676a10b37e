// Moves a local journal into a sink: first the deliveries that wait, in order, then the finished ones. The journal notes each delivery that
// the sink has. So the next run continues one that was killed, and no receiver forwards the delivery from the journal too.

import { commandHint, Failure, toFailure, usageError } from '../../../failure.ts';
import type { Journal, UnfinishedDelivery } from '../../../receiver/delivery-journal.ts';
import { lanesOf } from '../../../receiver/forwarding/subject-lanes.ts';
import { openJournal } from '../../../receiver/journal/open-journal.ts';
import { parseNames } from '../../../receiver/journal/segment-names.ts';
import { readEvents } from '../../../receiver/read-events.ts';
import { runInLanes } from '../../../receiver/sink/in-lanes.ts';
import { SinkJournal } from '../../../receiver/sink/sink-journal.ts';
import type { Context } from '../../context.ts';
import { countOf } from '../../count-of.ts';
import { formatCommandWith } from '../../format-command.ts';
import { interruptedFailureWith } from '../../interrupt.ts';
import { createProgressLine } from '../../progress-line.ts';
import { quoteForShell } from '../../shell-quote.ts';
import { openJournalPlace } from '../deliveries/journal-place.ts';
import { stateOf } from '../deliveries/known-delivery.ts';
import { placeFlagsOf } from '../deliveries/place-flags.ts';
import { reportFindings } from '../listen/journal-findings.ts';
import { journalFolder } from '../listen/journal-folder.ts';
import type { SinkConnectionFlags } from '../listen/sink-flags.ts';
import { hearStopSignals } from '../listen/stop-signals.ts';
import { importedAttempt, importHistory } from './import-history.ts';
import { type OpenSink, openSink } from './open-sink.ts';

type ImportFlags = SinkConnectionFlags & { readonly sink?: string; readonly partitions?: number };

/** After a kill, about as many are stored again; the sink recognises them. */
const writtenEvery = 100;
const atOnce = 64;
/** Without limits, whatever those of its receiver were: new notes must not push out deliveries that are yet to be moved. */
const unlimited = { maxBytes: Number.POSITIVE_INFINITY, keepDays: Number.POSITIVE_INFINITY };
const busyHint = 'End that process first: what it receives after the import would stay in the journal.';

interface Counts {
  /** How many waited at the start. */
  readonly unfinished: number;
  waiting: number;
  finished: number;
  dead: number;
  /** How many of them the sink had already. */
  repeated: number;
}

export async function importJournal(
  context: Context,
  journalDir: string,
  { sink, ...flags }: ImportFlags,
): Promise<void> {
  const { world, report } = context;
  if (sink === undefined)
    throw usageError('Missing: --sink', 'Give the URL of the sink: --sink nats://HOST[,HOST...]/NAME');
  const folder = journalFolder(world, journalDir);
  await assertJournal(context, folder);
  const opened = await openSink(context, sink, flags);
  const { nats, url, partitions } = opened;
  const into = new SinkJournal({
    nats,
    clock: world.clock,
    random: world.random,
    stream: url.stream,
    partitions,
  });
  try {
    const { journal, report: found } = await openJournal(world, folder, { ...unlimited, busyHint });
    const counts: Counts = {
      unfinished: journal.state().unfinished,
      waiting: 0,
      finished: 0,
      dead: 0,
      repeated: 0,
    };
    const again = formatCommandWith(
      context,
      'webhook sink',
      ['import', quoteForShell(journalDir, world.process.platform)],
      ...placeFlagsOf(context, { sink, ...flags }),
    );
    try {
      await reportFindings(context, folder, found);
      await moveAll(context, { journal, folder, opened, into, counts, again });
    } finally {
      await journal.close();
    }
    await reportCounts(context, counts, journal);
    await report.info(`The journal ${folder} has nothing left to forward.`);
    if (counts.dead > 0)
      await report.info(
        `To list the dead letters: ${formatCommandWith(context, 'webhook log', [], '--dead-letters', ...placeFlagsOf(context, { sink, ...flags }))}`,
      );
  } finally {
    await into.close();
  }
}

/** Opening a folder as a journal would create one there. */
async function assertJournal({ world: { files } }: Context, folder: string): Promise<void> {
  const isFolder = (await files.kind(folder)) === 'folder';
  if (isFolder && parseNames(await files.list(folder)).segments.length > 0) return;
  throw new Failure('not_found', {
    message: `There is no journal in ${folder}`,
    hint: 'Give the folder that wm webhook listen writes to.',
  });
}

interface Move {
  readonly journal: Journal;
  readonly folder: string;
  readonly opened: OpenSink;
  readonly into: SinkJournal;
  readonly counts: Counts;
  /** The command that continues after an interruption. */
  readonly again: string;
}

/** @throws {Failure} that reports how far it got, and how to continue. */
async function moveAll(context: Context, move: Move): Promise<void> {
  const { world, report } = context;
  const { counts, again } = move;
  const signals = hearStopSignals(context);
  const ending = new AbortController();
  let where = () => `${counts.waiting} of ${counts.unfinished} waiting deliveries are in the sink`;
  const progress = createProgressLine(world.clock, {
    errors: world.streams.errors,
    report,
    quiet: report.isQuiet,
    format: () => where(),
  });
  const goOn = commandHint('To continue: ', again);
  const interruption = signals.first.then((signal) => {
    ending.abort();
    return signal;
  });
  const atOnceFailure = signals.second.then((signal) => {
    throw interruptedFailureWith(signal, where(), goOn);
  });
  atOnceFailure.catch(() => {});
  const moving = async () => {
    await moveWaiting(context, move, ending.signal);
    if (ending.signal.aborted) return;
    await progress.end();
    await report.info(
      'All waiting deliveries are in the sink: receivers and forwarders can start on it now.',
    );
    where = () => `${counts.waiting} waiting and ${counts.finished} finished deliveries are in the sink`;
    await moveHistory(context, move, ending.signal);
  };
  try {
    await Promise.race([moving(), atOnceFailure]);
    await move.journal.written();
    if (ending.signal.aborted) throw interruptedFailureWith(await interruption, where(), goOn);
  } catch (error) {
    if (error instanceof Failure) throw error;
    const done = counts.waiting + counts.finished;
    throw new Failure(done === 0 ? 'network' : 'part_failed', {
      message: where(),
      why: toFailure(error).message,
      hint: goOn,
    });
  } finally {
    signals.ignore();
    await progress.end();
  }
}

async function moveWaiting({ world: { clock } }: Context, move: Move, signal: AbortSignal): Promise<void> {
  const { journal, into, counts, opened } = move;
  const to = journal.state().lastUnfinished;
  await runInLanes<UnfinishedDelivery>({
    items: journal.unfinished(signal, { from: 1, to }),
    lanesOf: ({ body }) => lanesOf(readEvents(body)),
    async run(delivery) {
      const started = clock.monotonic();
      const { isDuplicate } = await into.import(delivery);
      const milliseconds = Math.round(clock.monotonic() - started);
      journal.mark(
        importedAttempt(delivery.sequence, { time: clock.now(), milliseconds, target: opened.url.text }),
      );
      counts.waiting += 1;
      if (isDuplicate) counts.repeated += 1;
      if (counts.waiting % writtenEvery === 0) await journal.written();
    },
    atOnce,
    signal,
  });
}

async function moveHistory(context: Context, move: Move, signal: AbortSignal): Promise<void> {
  const { world } = context;
  const { clock } = world;
  const { journal, into, counts, opened } = move;
  const place = await openJournalPlace(context, move.folder);
  // No replay of its dead letters may run meanwhile.
  const recorder = await place.replays.open();
  try {
    await importHistory({
      nats: opened.nats,
      clock,
      stream: opened.url.stream,
      into,
      source: place.source,
      replays: await place.replays.read(),
      signal,
      async onImported(known, { isDuplicate }) {
        journal.mark(
          importedAttempt(known.sequence, { time: clock.now(), milliseconds: 0, target: opened.url.text }),
        );
        counts.finished += 1;
        if (stateOf(known) === 'dead') counts.dead += 1;
        if (isDuplicate) counts.repeated += 1;
        if (counts.finished % writtenEvery === 0) await journal.written();
      },
    });
  } finally {
    await recorder.close();
  }
}

async function reportCounts({ report }: Context, counts: Counts, journal: Journal): Promise<void> {
  const { unfinished, waiting, finished, dead, repeated } = counts;
  const imported = waiting + finished;
  // A delivery that no longer waits was stored, or cannot be read.
  const damaged = unfinished - waiting - journal.state().unfinished;
  if (report.wantsJson)
    await report.json({ imported, waiting, finished, deadLetters: dead, alreadyThere: repeated, damaged });
  else {
    const parts = [
      `${waiting} to be forwarded`,
      `${finished} finished${dead === 0 ? '' : ` (${countOf(dead, 'dead letter')})`}`,
      ...(repeated === 0 ? [] : [`${repeated} of them from before`]),
    ];
    await report.line(
      `${countOf(imported, 'delivery is', 'deliveries are')} in the sink now${imported === 0 ? '' : `: ${parts.join(', ')}`}.`,
    );
  }
  if (damaged > 0)
    await report.warn(
      `${countOf(damaged, 'delivery', 'deliveries')} of the journal cannot be read, and ${damaged === 1 ? 'is' : 'are'} not in the sink.`,
    );
}
