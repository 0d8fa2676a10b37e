// Rows that a run of the same command left when its input changed: --resume starts the new input, and names them. Also ends
// their journal, so that the next run names them no more.

import { join } from 'node:path';
import { readJournalHeader, replayJournal } from '#bulk/journal-replay.ts';
import { finalKind, rowState } from '#bulk/row-states.ts';
import type { World } from '#world/world.ts';
import { journalFolder, journalName, lockOf } from './bulk-journal-place.ts';
import { formatCount, formatRow, formatShare } from './format-quantity.ts';

export interface LeftRows {
  readonly count: number;
  /** `2 of its 3 rows were left: line 2 (ID), line 3 (ID)`. */
  readonly text: string;
}

/** The hashes in the header of its journal. */
interface BulkRunName {
  readonly key: string;
  readonly command: string;
}

/** Of a journal in wm's own folder. Locked until it is released. */
export interface LeftRun extends LeftRows {
  end(): Promise<void>;
  release(): Promise<void>;
}

const maxListed = 50;

/** Undefined if the journal is another command's, is for this input, or has no rows left. */
export async function readLeftRows(
  files: World['files'],
  path: string,
  { key, command }: BulkRunName,
): Promise<LeftRows | undefined> {
  if ((await files.kind(path)) !== 'file') return undefined;
  const header = await readJournalHeader((await files.stream(path)) ?? none(), journalName);
  if (header?.command !== command || header.key === key) return undefined;
  const ids = new Map<number, string>();
  const replay = await replayJournal((await files.stream(path)) ?? none(), journalName, ids);
  if (!replay || replay.isFinished) return undefined;
  const { states } = replay;
  const count = header.rows - states.final;
  if (count <= 0) return undefined;
  const listed: string[] = [];
  for (const [line, id] of ids)
    if (listed.length < maxListed && finalKind(states.get(line)) === undefined)
      listed.push(formatRow({ line, id }));
  const sent = states.count(rowState.sent);
  const unknown = sent > 0 ? `, ${formatCount(sent)} of them sent without a response` : '';
  const more = count > listed.length ? ` and ${formatCount(count - listed.length)} more` : '';
  const share = formatShare(count, header.rows, 'was').replace(' of ', ' of its ');
  return { count, text: `${share} left${unknown}: ${listed.join(', ')}${more}` };
}

async function* none(): AsyncGenerator<never> {}

/** In wm's own folder. A run that is still under way has left nothing. */
export async function findLeftRuns(
  { files, lock }: Pick<World, 'files' | 'lock'>,
  run: BulkRunName,
): Promise<readonly LeftRun[]> {
  const folder = join(files.stateFolder, journalFolder);
  const found: LeftRun[] = [];
  for (const name of await files.list(folder).catch(() => [])) {
    const path = join(folder, name);
    const read = () => readLeftRows(files, path, run).catch(() => undefined);
    if (!name.endsWith('.ndjson') || !(await read())) continue;
    const held = await lock.acquire(lockOf(path), { timeoutMs: 0 });
    const left = held && (await read());
    if (left) found.push({ ...left, end: () => endJournal(files, path), release: () => held.release() });
    else await held?.release();
  }
  return found;
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
