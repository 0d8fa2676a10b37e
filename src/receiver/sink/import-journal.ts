// Moves the waiting deliveries of a local journal into a sink, in order. The journal notes each stored delivery, so that a later run can
// continue, and no receiver forwards it from the journal too. Forwarded deliveries stay in the journal.

import { hash } from 'node:crypto';
import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { interruptedFailureWith } from '#cli/interrupt.ts';
import { journalFolder } from '#cli/journal-folder.ts';
import { createProgressLine } from '#cli/progress-line.ts';
import { commandHint, Failure, toFailure, usageError } from '#failure.ts';
import { importedOutcome } from '../archive/deliveries/logged-delivery.ts';
import { type SinkConnectionFlags, type SinkUrl, storageFlagsOf } from '../archive/storage-flags.ts';
import { lanesOf } from '../core/forwarding/subject-lanes.ts';
import type { Journal, StoredDelivery } from '../core/intake/delivery-journal.ts';
import { readEvents } from '../core/intake/read-events.ts';
import { openJournal } from '../core/journal/open-journal.ts';
import { parseNames } from '../core/journal/segment-names.ts';
import { reportFindings } from '../listen/journal-findings.ts';
import { listenForStopSignals } from '../listen/stop-signals.ts';
import { SinkJournal } from './jetstream/sink-journal.ts';
import { openSink } from './open-sink.ts';

type ImportFlags = SinkConnectionFlags & { readonly sink?: SinkUrl; readonly partitions?: number };

/** How many are stored at a time. After a kill they are stored again, and the sink recognises them. */
const atOnce = 64;
/** No limits, whatever the receiver's were: new notes must not push out deliveries that still have to be moved. */
const unlimited = { maxBytes: Number.POSITIVE_INFINITY, keepDays: Number.POSITIVE_INFINITY };
const busyHint = 'End that process first: what it receives after the import would stay in the journal.';

export async function importJournal(
  context: Context,
  journalDir: string,
  { sink: url, ...flags }: ImportFlags,
): Promise<void> {
  const { world, report } = context;
  const { files } = world;
  if (url === undefined)
    throw usageError('Missing: --sink', 'Give the URL of the sink: --sink nats://HOST[,HOST...]/NAME');
  const folder = journalFolder(world, journalDir);
  // Opening a folder as a journal would create one there.
  const isFolder = (await files.kind(folder)) === 'folder';
  if (!isFolder || parseNames(await files.list(folder)).segments.length === 0)
    throw new Failure('not_found', {
      message: `No journal found in ${folder}`,
      hint: 'Give the folder that wm webhook listen writes to.',
    });
  const sink = await openSink(context, url, flags, false);
  const sinkJournal = new SinkJournal(sink);
  try {
    const { journal, report: startReport } = await openJournal(world, folder, { ...unlimited, busyHint });
    try {
      // Without a limit, the journal cannot outgrow its disk.
      await reportFindings(context, folder, { findings: startReport.findings });
      const storageFlags = storageFlagsOf({ sink: url, ...flags });
      const resume = formatCommandWith(context, 'webhook sink', ['import', journalDir], ...storageFlags);
      const { moved, repeated, damaged } = await moveAll(context, journal, sinkJournal, url.text, resume);
      if (report.wantsJson) await report.json({ imported: moved, alreadyThere: repeated, damaged });
      else
        await report.line(
          `${countOf(moved, 'delivery is', 'deliveries are')} in the sink now${repeated === 0 ? '' : `, ${repeated} of them from an earlier import`}: receivers and forwarders can start on it.`,
        );
      if (damaged > 0)
        await report.warn(
          `${countOf(damaged, 'delivery', 'deliveries')} of the journal cannot be read, and ${damaged === 1 ? 'is' : 'are'} not in the sink.`,
        );
    } finally {
      await journal.close();
    }
    await report.info(
      `The journal ${folder} has nothing left to forward. What was forwarded before stays there: wm webhook log --journal shows it.`,
    );
  } finally {
    await sinkJournal.close();
  }
}

/** `resume`: the command that continues. @throws {Failure} that says how far the import got, and how to continue. */
async function moveAll(
  context: Context,
  journal: Journal,
  sinkJournal: SinkJournal,
  target: string,
  resume: string,
) {
  const { world, report } = context;
  const { clock } = world;
  const signals = listenForStopSignals(context);
  const ending = new AbortController();
  void signals.first.then(() => ending.abort());
  const { unfinished } = journal.state();
  const counts = { moved: 0, repeated: 0 };
  const summary = () => `${counts.moved} of ${unfinished} waiting deliveries are in the sink`;
  const hint = commandHint('To continue: ', resume);
  const progress = createProgressLine({ world, report }, summary);
  const move = async (delivery: StoredDelivery) => {
    const { sequence, receivedAt, body } = delivery;
    // Importing it twice stores it once, even without a key.
    const importId = `import-${sequence}-${receivedAt}-${hash('sha256', body)}`;
    const { isDuplicate } = await sinkJournal.append(delivery, importId);
    const time = clock.now();
    const settled = { outcome: importedOutcome, verdict: 'forwarded', finishes: true } as const;
    journal.record({ kind: 'attempt', sequence, time, target, attempt: 1, milliseconds: 0, ...settled });
    counts.moved += 1;
    if (isDuplicate) counts.repeated += 1;
    if (counts.moved % atOnce === 0) await journal.flush();
  };
  try {
    const last = new Map<string, Promise<void>>();
    const moving = new Set<Promise<void>>();
    for await (const delivery of journal.unfinished(ending.signal, false)) {
      while (moving.size >= atOnce) await Promise.race(moving);
      if (ending.signal.aborted) break;
      const lanes = lanesOf(readEvents(delivery.body));
      // Wait for earlier deliveries of the same task.
      const before = Promise.all(lanes.map((lane) => last.get(lane)));
      const work = before.then(() => move(delivery)).then(() => void moving.delete(work));
      work.catch(() => {});
      moving.add(work);
      for (const lane of lanes) last.set(lane, work);
    }
    await Promise.all(moving);
    await journal.flush();
    if (ending.signal.aborted) throw interruptedFailureWith(await signals.first, summary(), hint);
    return { ...counts, damaged: unfinished - counts.moved - journal.state().unfinished };
  } catch (error) {
    if (error instanceof Failure) throw error;
    const code = counts.moved === 0 ? 'network' : 'part_failed';
    throw new Failure(code, { message: summary(), why: toFailure(error).message, hint });
  } finally {
    signals.ignore();
    await progress.end();
  }
}
