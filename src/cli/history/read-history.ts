// Reads the history, including the updates in the undo log. Combines the lines of each change into an entry, and drops entries
// that do not match the filter at once. Counts damaged lines: a disk or another program may have written anything.

import { join } from 'node:path';
import { decodeLines } from '#bulk/decode-lines.ts';
import { isJsonObject, parseJsonIfValid } from '#contract/json.ts';
import { readLeniently, unlessInvalid } from '#contract/schema.ts';
import { assertPrivateStateFolder } from '#login/private-folder.ts';
import type { World } from '#world/world.ts';
import { historyLog, logsIn, type MonthlyLog, monthlyFiles, undoLogFolder } from '../monthly-log.ts';
import { type BegunChange, begunChange, type EndedChange, endedChange } from './history-log.ts';

/** A change; without an end if its process ended before the outcome was known. */
export interface HistoryEntry {
  readonly begun: BegunChange;
  readonly ended: EndedChange | undefined;
}

interface HistoryFilter {
  /** Entries with one of these ids; if empty, all entries. */
  readonly ids: readonly string[];
  /** The words of a command, or the first ones. */
  readonly command?: string | undefined;
  /** Milliseconds since 1970. */
  readonly from?: number;
  readonly before?: number;
  /** How many of the last matching entries to return. */
  readonly limit: number;
}

/** How many entries beyond the limit are held before the oldest are dropped. */
const slack = 1_000;

/**
 * The entries in the order of the changes. `unreadable`: how many lines or files are damaged, or were written by a newer wm. `unsearched`:
 * how many bulk runs have no journal any more. `isTorn`: the last line of the history is damaged.
 * @throws {Failure} `other` if other users can write the history, or if a file cannot be read.
 */
export async function readHistory(world: Pick<World, 'files'>, filter: HistoryFilter) {
  await assertPrivateStateFolder(world);
  const logs = await logsIn(world, undoLogFolder(world));
  const histories = [
    await readLog(world, historyLog(world), filter, (line) => line),
    ...(await Promise.all(
      logs.map((log) =>
        readLog(world, log, filter, (line) => ('history' in line ? line.history : undefined)),
      ),
    )),
  ];
  const entries: HistoryEntry[] = [];
  let unsearched = 0;
  for (const entry of mergeByTime(histories.map((history) => history.entries))) {
    const isIn = hasId(entry, filter.ids) || (await isInJournal(world, entry, filter.ids));
    if (isIn === undefined) unsearched++;
    else if (isIn) entries.push(entry);
  }
  return {
    entries: entries.slice(Math.max(0, entries.length - filter.limit)),
    unsearched,
    isTorn: histories[0]?.isTorn === true,
    unreadable: histories.reduce((sum, { unreadable }) => sum + unreadable, 0),
    damagedFolders: [...new Set(histories.flatMap(({ damagedFolders }) => damagedFolders))],
  };
}

/** `readHistoryOf`: the history's part of a line; undefined if it has none. */
async function readLog(
  world: Pick<World, 'files'>,
  log: MonthlyLog,
  filter: HistoryFilter,
  readHistoryOf: (line: object) => unknown,
) {
  const entries = new Map<string, HistoryEntry>();
  let unreadable = 0;
  let isTorn = false;
  let nextDrop = slack;
  for (const name of await monthlyFiles(world, log)) {
    for await (const line of linesOf(world, join(log.folder, name))) {
      const decoded = line === undefined ? undefined : parseJsonIfValid(line);
      const value = isJsonObject(decoded) ? readHistoryOf(decoded) : null;
      isTorn = value !== undefined && !addLine(entries, value, filter);
      if (isTorn) unreadable++;
      // A single file may have a million lines.
      if (entries.size > nextDrop) {
        dropEarlier(entries, filter);
        nextDrop = 2 * entries.size + slack;
      }
    }
  }
  dropEarlier(entries, filter);
  return {
    entries: [...entries.values()].filter((entry) => entry.begun.bulk || hasId(entry, filter.ids)),
    unreadable,
    isTorn,
    damagedFolders: unreadable > 0 ? [log.folder] : [],
  };
}

/** Keeps the order of each list, even if the clock was wrong. */
function mergeByTime(lists: readonly (readonly HistoryEntry[])[]): readonly HistoryEntry[] {
  const timed = lists.flatMap((list) => {
    let time = Number.NEGATIVE_INFINITY;
    return list.map((entry) => {
      time = Math.max(time, Date.parse(entry.begun.at));
      return { entry, time };
    });
  });
  return timed.toSorted((a, b) => a.time - b.time).map(({ entry }) => entry);
}

/** Skips empty lines; yields undefined for a file that cannot be read as lines. */
async function* linesOf({ files }: Pick<World, 'files'>, path: string): AsyncGenerator<string | undefined> {
  // Reading a named pipe would wait for a writer.
  const bytes = (await files.kind(path)) === 'file' ? await files.stream(path) : undefined;
  if (!bytes) {
    yield undefined;
    return;
  }
  for await (const { text } of decodeLines(bytes)) yield* text.split('\n').filter((line) => line !== '');
}

/** False if the line is damaged. */
function addLine(entries: Map<string, HistoryEntry>, decoded: unknown, filter: HistoryFilter): boolean {
  const begun = unlessInvalid(() => readLeniently(begunChange, decoded));
  if (begun) {
    const time = Date.parse(begun.at);
    if (Number.isNaN(time) || entries.has(begun.change)) return false;
    const isOfCommand = `${begun.command} `.startsWith(
      filter.command === undefined ? '' : `${filter.command} `,
    );
    const { from = time, before = Number.POSITIVE_INFINITY } = filter;
    if (time >= from && time < before && isOfCommand) entries.set(begun.change, { begun, ended: undefined });
    return true;
  }
  const ended = unlessInvalid(() => readLeniently(endedChange, decoded));
  if (!ended) return false;
  const entry = entries.get(ended.change);
  if (!entry) return true;
  // The last line counts, but the created ids and the counts may be only in an earlier one.
  const { code: _, ...earlier } = entry.ended ?? {};
  const completed = { begun: entry.begun, ended: { ...earlier, ...ended } };
  if (entry.begun.bulk || hasId(completed, filter.ids)) entries.set(ended.change, completed);
  else entries.delete(ended.change);
  return true;
}

function hasId({ begun, ended }: HistoryEntry, ids: readonly string[]): boolean {
  return ids.length === 0 || ids.some((id) => begun.ids.includes(id) || ended?.created?.includes(id));
}

/** Whether a row of a bulk run has an id; undefined if its journal cannot be read. */
async function isInJournal(
  world: Pick<World, 'files'>,
  { begun: { bulk } }: HistoryEntry,
  ids: readonly string[],
): Promise<boolean | undefined> {
  const quoted = ids.map((id) => JSON.stringify(id));
  for await (const line of linesOf(world, bulk?.journal ?? '')) {
    if (line === undefined) return undefined;
    if (quoted.some((id) => line.includes(id))) return true;
  }
  return false;
}

/** Keeps an entry without the id until its end is read, since the end may name the created record. */
function dropEarlier(entries: Map<string, HistoryEntry>, { ids, limit }: HistoryFilter): void {
  const matches = [...entries].filter(([, entry]) => hasId(entry, ids));
  for (const [change] of matches.slice(0, Math.max(0, matches.length - limit))) entries.delete(change);
}
