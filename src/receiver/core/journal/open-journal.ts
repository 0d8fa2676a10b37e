// Opens the journal in a folder, for this process alone, and reads what earlier runs left there.

import { dirname, join } from 'node:path';
import { Failure } from '#failure.ts';
import type { AppendFile, Files, World } from '#world/world.ts';
import type { Contents } from './contents.ts';
import { KeyTable } from './key-table.ts';
import { isTooOld, KnownKeys } from './known-keys.ts';
import { LocalJournal } from './local-journal.ts';
import { type Retention, trustedTime } from './retention.ts';
import { SegmentLog } from './segment-log.ts';
import {
  keysName,
  keysPath,
  lockName,
  parseNames,
  segmentPath,
  trialName,
  trialPath,
} from './segment-names.ts';
import { type Finding, type RestoredContents, readContents, readKeys, readSegment } from './start-up.ts';

export interface JournalOptions extends Retention {
  /** The size at which a segment is sealed. */
  readonly segmentBytes: number;
  /** What to do while another process has the journal open. */
  readonly busyHint: string;
}

const defaultJournalOptions: JournalOptions = {
  segmentBytes: 16 * 1024 * 1024,
  maxBytes: 1024 * 1024 * 1024,
  keepDays: 30,
  busyHint: 'Stop that process, or use another folder for this one.',
};

/** Used on a disk that is full at the start. A larger delivery gets its own segment. */
const minSegmentBytes = 64 * 1024;

export interface StartReport {
  readonly findings: readonly Finding[];
  /** Set if the disk has less room than the journal may take. */
  readonly shortDisk?: { readonly free: number; readonly maxBytes: number };
}

type Parts = Pick<World, 'files' | 'lock' | 'clock' | 'randomBytes'>;

/** Rejects with a Failure if another process has the journal open, or with the system's own error. */
export async function openJournal(
  world: Parts,
  folder: string,
  options: Partial<JournalOptions> = {},
): Promise<{ readonly journal: LocalJournal; readonly report: StartReport }> {
  const { files, clock } = world;
  const { maxBytes, keepDays, segmentBytes, busyHint } = { ...defaultJournalOptions, ...options };
  const lock = await lockFolder(world, folder, busyHint);
  try {
    const fileNames = await files.list(folder);
    const names = parseNames(fileNames);
    if (names.segments.length === 0) await syncFoldersAbove(files, folder);
    // The tables load while the last segment is read.
    const [restored, tables] = await Promise.all([
      readContents(files, folder, names.segments),
      readTables(files, folder, names.keys),
    ]);
    const { contents, findings } = restored;
    const keys = new KnownKeys(files, folder, restored.keys);
    const time = trustedTime(clock.now(), contents.current.begun);
    const unreadable = await loadKeys(files, folder, keys, contents, tables, time);
    const file = await openCurrent(files, folder, restored);
    if (fileNames.includes(trialName)) await files.remove(trialPath(folder)).catch(() => {});
    for (const number of restored.leftovers) await files.remove(segmentPath(folder, number)).catch(() => {});
    const free = await files.freeBytes(folder);
    const room = contents.bytes + (free ?? Number.POSITIVE_INFINITY);
    const log = new SegmentLog(world, folder, {
      contents,
      keys,
      file,
      lastNumber: restored.lastNumber,
      // A journal with only one or two segments could drop neither, and the disk may have less room than the journal may take.
      segmentBytes: Math.min(segmentBytes, maxBytes / 4, Math.max(minSegmentBytes, room / 4)),
      retention: { maxBytes, keepDays },
      isInPlace: () => lock.isInPlace(),
    });
    return {
      journal: new LocalJournal(world, folder, log, () => lock.release()),
      report: {
        findings: [...findings, ...unreadable],
        ...(free !== undefined && room < maxBytes ? { shortDisk: { free, maxBytes } } : {}),
      },
    };
  } catch (error) {
    await lock.release();
    throw error;
  }
}

async function lockFolder({ lock }: Pick<World, 'lock'>, folder: string, hint: string) {
  const path = join(folder, lockName);
  const acquired = await lock.acquire(path, { timeoutMs: 0 });
  if (acquired) return acquired;
  const holder = await lock.holder(path);
  throw new Failure('other', {
    message: `Another receiver uses the journal ${folder}`,
    why: holder ? `process ${holder.pid} has it open` : undefined,
    hint,
  });
}

/** The parent folders may be new too. A folder that cannot be synced is not ours. */
async function syncFoldersAbove(files: Files, folder: string): Promise<void> {
  for (let above = dirname(folder); ; above = dirname(above)) {
    await files.syncFolder(above).catch(() => {});
    if (dirname(above) === above) return;
  }
}

/**
 * Cuts off a torn frame, and writes anew what was read: from now on it counts as stored. A sync alone proves nothing, since one that
 * failed may have dropped bytes from the disk that the system still returns.
 */
async function openCurrent(
  files: Files,
  folder: string,
  { contents, isAppendable, findings, lastNumber, read }: RestoredContents,
): Promise<AppendFile | undefined> {
  if (lastNumber === 0) return undefined;
  const torn = findings.find(({ kind }) => kind === 'torn');
  for (const { number, bytes } of read) {
    const end = number === lastNumber ? torn?.offset : undefined;
    await files.overwrite(segmentPath(folder, number), bytes.subarray(0, end));
  }
  await files.syncFolder(folder);
  const isUsable = isAppendable && contents.current.number === lastNumber;
  return isUsable ? files.append(segmentPath(folder, lastNumber), { mode: 0o600 }) : undefined;
}

/** Reads all tables with these numbers; a damaged one is `undefined`. */
function readTables(files: Pick<Files, 'read'>, folder: string, numbers: readonly number[]) {
  return Promise.all(
    numbers.map(async (number) => {
      const bytes = await files.read(keysPath(folder, number));
      return { number, size: bytes?.length ?? 0, table: bytes && KeyTable.read(bytes) };
    }),
  );
}

/** Loads the tables. Returns the unreadable ones whose segment is gone. `time` decides which keys are too old. */
async function loadKeys(
  files: Files,
  folder: string,
  keys: KnownKeys,
  contents: Contents,
  tables: Awaited<ReturnType<typeof readTables>>,
  time: number,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const sealed = new Map(contents.sealed.map((segment) => [segment.number, segment]));
  const missing = new Set(sealed.keys());
  for (const { number, size, table } of tables) {
    // Written because this segment was about to be dropped, but it was not.
    if (number === contents.current.number) continue;
    if (table) {
      keys.addSealed(number, table, { isSaved: true });
      missing.delete(number);
    } else if (!sealed.has(number))
      findings.push({ kind: 'damaged', file: keysName(number), offset: 0, bytes: size });
  }
  for (const number of missing) {
    const segment = sealed.get(number);
    if (!segment || segment.deliveries === 0 || isTooOld(segment.newest, time)) continue;
    const table = readKeys(segment, await readSegment(files, folder, number));
    keys.addSealed(number, table);
  }
  await keys.save().catch(() => {});
  await keys.forgetOld(time);
  return findings;
}
