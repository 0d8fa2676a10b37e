// Rows that a run of the same command left before its input changed. --resume starts the new input, and names the rows that it
// lacks. Their journal is ended here, so that the next run does not name them again.

import { join } from 'node:path';
import { lostTo, readRows, replayJournal } from '#bulk/journal-replay.ts';
import { formatRow } from '#bulk/row.ts';
import { finalKind, rowState } from '#bulk/row-states.ts';
import { formatCount, shareOf } from '#cli/count-of.ts';
import { parseJson } from '#contract/json.ts';
import { streamFile } from '#local-records/json-records.ts';
import type { World } from '#world/world.ts';
import { journalFolder, journalName, lockOf, readHeader } from './bulk-journal-place.ts';

export interface LeftRows {
  readonly count: number;
  /** `2 of its 3 rows were left: line 2 (ID), line 3 (ID)`. */
  readonly text: string;
}

export interface NewRun {
  readonly key: string;
  /** Identifies the command and the sign-in, whatever the input. */
  readonly command: string;
  /** The ids and changes of all rows, as entries of the journal. */
  readonly idEntries: readonly Uint8Array[];
}

/** A run with a journal in wm's own folder, which is locked until it is released. */
export interface LeftRun extends LeftRows {
  end(): Promise<void>;
  release(): Promise<void>;
}

const maxListed = 50;

/** Leaves out rows that the new input has too. Undefined if the journal is another command's, is for this input, or is finished. */
export async function readLeftRows(
  files: World['files'],
  path: string,
  { key, command, idEntries }: NewRun,
): Promise<LeftRows | undefined> {
  const header = await readHeader(files, path);
  if (header?.command !== command || header.key === key) return undefined;
  const [ids, changes] = [new Map<number, string>(), new Map<number, string>()];
  const bytes = await streamFile(files, path);
  const replay = bytes && (await replayJournal(bytes, journalName, { ids, changes }));
  if (!replay || replay.isFinished || header.rows <= replay.states.final) return undefined;
  const { states } = replay;
  for (const line of [...ids.keys()]) if (finalKind(states.get(line)) !== undefined) ids.delete(line);
  const repeated = repeatedLines(ids, changes, idEntries);
  for (const line of repeated) ids.delete(line);
  const count = header.rows - states.final - repeated.length;
  const listed = [...ids].slice(0, maxListed).map(([line, id]) => formatRow({ line, id }));
  const sent = [...ids.keys()].filter((line) => states.get(line) === rowState.sent).length;
  const unknown = sent > 0 ? `, ${formatCount(sent)} of them sent without a response` : '';
  const end = lostTo(replay, files.bootId());
  const lost = [...ids.keys()].filter((line) => line <= end && states.get(line) !== rowState.sent).length;
  const lostText = lost > 0 ? `, ${formatCount(lost)} of them may have been sent` : '';
  const more = count > listed.length ? ` and ${formatCount(count - listed.length)} more` : '';
  const share = shareOf(count, header.rows, 'row', 'was').replace(' of ', ' of its ');
  return { count, text: `${share} left${unknown}${lostText}: ${listed.join(', ')}${more}` };
}

/** The lines of rows whose task and changes the new input has too. */
function repeatedLines(
  ids: ReadonlyMap<number, string>,
  changes: ReadonlyMap<number, string>,
  newEntries: readonly Uint8Array[],
): readonly number[] {
  const linesOf = new Map<string, number[]>();
  for (const [line, id] of ids) {
    const row = `${id} ${changes.get(line)}`;
    linesOf.set(row, [...(linesOf.get(row) ?? []), line]);
  }
  const repeated: number[] = [];
  for (const entries of newEntries) {
    const rows = { ids: new Map<number, string>(), changes: new Map<number, string>() };
    for (const entry of new TextDecoder().decode(entries).split('\n').filter(Boolean))
      readRows(Object(parseJson(entry)), rows);
    for (const [line, change] of rows.changes) {
      const row = `${rows.ids.get(line)} ${change}`;
      repeated.push(...(linesOf.get(row) ?? []));
      linesOf.delete(row);
    }
  }
  return repeated;
}

/** Searches wm's own folder. Leaves out runs that are still under way. */
export async function findLeftRuns(
  { files, lock }: Pick<World, 'files' | 'lock'>,
  run: NewRun,
): Promise<readonly LeftRun[]> {
  const folder = join(files.stateFolder, journalFolder);
  const runs: LeftRun[] = [];
  for (const name of await files.list(folder).catch(() => [])) {
    const path = join(folder, name);
    const read = () => readLeftRows(files, path, run).catch(() => undefined);
    if (!name.endsWith('.ndjson') || !(await read())) continue;
    const heldLock = await lock.acquire(lockOf(path), { timeoutMs: 0 });
    const rows = heldLock && (await read());
    if (rows) runs.push({ ...rows, end: () => endJournal(files, path), release: () => heldLock.release() });
    else await heldLock?.release();
  }
  return runs;
}

async function endJournal(files: World['files'], path: string): Promise<void> {
  const file = await files.append(path, { mode: 0o600 });
  try {
    // Its last line may be torn.
    file.write('\n{"finished":true}\n');
  } finally {
    await file.close();
  }
}
