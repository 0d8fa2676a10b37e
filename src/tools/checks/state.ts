// The doctor's check of the state folder: the size of journals, undo logs and history, and the runs that can be resumed. Reports an
// unreadable folder as a finding.

import { join } from 'node:path';
import { replayJournal } from '#bulk/journal-replay.ts';
import type { Context } from '#cli/context.ts';
import { countOf, formatSize } from '#cli/count-of.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { historyLog, undoLog } from '#local-records/monthly-log.ts';
import { journalFolder, journalName, journalRetentionDays, lockOf } from '#tasks/many/bulk-journal-place.ts';
import type { World } from '#world/world.ts';
import type { Outcome } from './finding.ts';

export async function stateCheck({ world }: Pick<Context, 'world'>): Promise<Outcome[]> {
  const { files } = world;
  const { stateFolder } = files;
  const journals = join(stateFolder, journalFolder);
  const [bulk, undo, history] = [
    await measureFolder(files, journals),
    await measureFolder(files, undoLog(world).folder),
    await measureFolder(files, historyLog(world).folder),
  ];
  if (bulk.files + undo.files + history.files === 0) return [];
  const { unfinished, running } = await countUnfinished(world, journals);
  const parts = [
    `${countOf(bulk.files, 'bulk journal')} (${formatSize(bulk.bytes)})`,
    `${countOf(undo.files, 'undo log')} (${formatSize(undo.bytes)})`,
    ...(history.files === 0 ? [] : [`a history (${formatSize(history.bytes)})`]),
  ];
  const inProgress = running > 0 ? `; ${countOf(running, 'run is', 'runs are')} in progress` : '';
  const found = `${stateFolder} holds ${joinWithAnd(parts)}${inProgress}`;
  if (unfinished === 0) return [{ result: 'good', found }];
  const remedy = `To continue a run, repeat its command with --resume. Journals are removed after ${journalRetentionDays} days.`;
  const runs = `${countOf(unfinished, 'run is', 'runs are')} unfinished`;
  return [{ result: 'notice', found: `${found}; ${runs}`, remedy }];
}

async function measureFolder(files: World['files'], folder: string) {
  let bytes = 0;
  let count = 0;
  for (const path of await listJournals(files, folder)) {
    count++;
    bytes += await files.size(path);
  }
  return { files: count, bytes };
}

async function countUnfinished({ files, lock }: Pick<World, 'files' | 'lock'>, folder: string) {
  let unfinished = 0;
  let running = 0;
  for (const path of await listJournals(files, folder)) {
    const bytes = await files.stream(path);
    const journal = bytes && (await replayJournal(bytes, journalName));
    if (!journal || journal.isFinished) continue;
    if (await lock.isHeld(lockOf(path))) running++;
    else unfinished++;
  }
  return { unfinished, running };
}

async function listJournals(files: World['files'], folder: string): Promise<readonly string[]> {
  const paths = (await files.list(folder))
    .filter((name) => name.endsWith('.ndjson'))
    .map((name) => join(folder, name));
  const kinds = await Promise.all(paths.map((path) => files.kind(path)));
  return paths.filter((_, index) => kinds[index] === 'file');
}
