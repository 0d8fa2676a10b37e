// Reads the history. Combines the lines of each change into an entry, and drops entries that do not match the filter at once.
// Counts damaged lines: a disk or another program may have written anything.

import { join } from 'node:path';
import { isJsonObject, parseJsonIfValid } from '#contract/json.ts';
import { readLeniently, unlessInvalid } from '#contract/schema.ts';
import { assertPrivateStateFolder } from '#login/private-folder.ts';
import type { World } from '#world/world.ts';
import { readLines, streamFile } from '../json-records.ts';
import { historyLog, logsIn, type MonthlyLog, monthlyFiles, undoLog } from '../monthly-log.ts';
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
 * In the order of the changes. `unsearched`: how many bulk runs have no journal any more. `isTorn`: the last line is damaged.
 * @throws {Failure} `other` if other users can write the history, or if a file cannot be read.
 */
export async function readHistory(world: Pick<World, 'files'>, filter: HistoryFilter) {
  await assertPrivateStateFolder(world);
  const logs = [historyLog(world), ...(await logsIn(world, undoLog(world)))];
  const histories = await Promise.all(logs.map((log) => readLog(world, log, filter)));
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
    damagedFolders: new Set(histories.flatMap(({ damagedFolders }) => damagedFolders)),
  };
}

async function readLog(world: Pick<World, 'files'>, log: MonthlyLog, filter: HistoryFilter) {
  const entries = new Map<string, HistoryEntry>();
  let unreadable = 0;
  let isTorn = false;
  let nextDrop = slack;
  const addText = (text: string) => {
    isTorn = !addLine(entries, parseJsonIfValid(text), filter);
    if (isTorn) unreadable++;
    // A single file may have a million lines.
    if (entries.size <= nextDrop) return;
    dropEarlier(entries, filter);
    nextDrop = 2 * entries.size + slack;
  };
  for (const name of await monthlyFiles(world, log)) {
    const bytes = await streamFile(world.files, join(log.folder, name));
    if (bytes) for await (const text of readLines(bytes)) addText(text);
    else addText('');
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

/** False if the line is damaged. A line of the undo log has a task; an older wm also stored its change there. */
function addLine(entries: Map<string, HistoryEntry>, decoded: unknown, filter: HistoryFilter): boolean {
  const line = isJsonObject(decoded) && 'history' in decoded ? decoded['history'] : decoded;
  const begun = unlessInvalid(() => readLeniently(begunChange, line));
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
  const ended = unlessInvalid(() => readLeniently(endedChange, line));
  if (!ended) return isJsonObject(line) && 'task' in line;
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
  const bytes = await streamFile(world.files, bulk?.journal ?? '');
  if (!bytes) return undefined;
  for await (const line of readLines(bytes)) if (quoted.some((id) => line.includes(id))) return true;
  return false;
}

/** Keeps an entry without the id until its end is read, since the end may name the created record. */
function dropEarlier(entries: Map<string, HistoryEntry>, { ids, limit }: HistoryFilter): void {
  const matches = [...entries].filter(([, entry]) => hasId(entry, ids));
  for (const [change] of matches.slice(0, Math.max(0, matches.length - limit))) entries.delete(change);
}
