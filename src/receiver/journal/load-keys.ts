// Loads the tables of keys that earlier runs wrote, and rebuilds those that are missing.

import type { Files } from '../../world/world.ts';
import type { Contents } from './contents.ts';
import { KeyTable } from './key-table.ts';
import { isForgotten, type KnownKeys } from './known-keys.ts';
import { keysName, keysPath } from './segment-names.ts';
import { type Finding, readKeys, readSegment } from './start-up.ts';

interface LoadedTable {
  readonly number: number;
  readonly size: number;
  /** `undefined` if it is damaged. */
  readonly table: KeyTable | undefined;
}

/** All tables with these numbers. */
export function readTables(
  files: Pick<Files, 'read'>,
  folder: string,
  numbers: readonly number[],
): Promise<readonly LoadedTable[]> {
  return Promise.all(
    numbers.map(async (number) => {
      const bytes = await files.read(keysPath(folder, number));
      return { number, size: bytes?.length ?? 0, table: bytes && KeyTable.read(bytes) };
    }),
  );
}

interface Found {
  readonly keys: KnownKeys;
  readonly contents: Contents;
  readonly tables: readonly LoadedTable[];
  /** Older keys than this time allows are forgotten. */
  readonly time: number;
}

/** What cannot be read, of segments that are gone. */
export async function loadKeys(
  files: Files,
  folder: string,
  { keys, contents, tables, time }: Found,
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const sealed = new Map(contents.sealed.map((segment) => [segment.number, segment]));
  const missing = new Set(sealed.keys());
  for (const { number, size, table } of tables) {
    // Written before it was to be dropped, and it was not.
    if (number === contents.current.number) continue;
    if (table) {
      keys.addSealed(number, table, true);
      missing.delete(number);
    } else if (!sealed.has(number))
      findings.push({ kind: 'damaged', file: keysName(number), offset: 0, bytes: size });
  }
  for (const number of missing) {
    const segment = sealed.get(number);
    if (!segment || segment.deliveries === 0 || isForgotten(segment.newest, time)) continue;
    const table = readKeys(segment, await readSegment(files, folder, number));
    keys.addSealed(number, table, false);
  }
  await keys.save().catch(() => {});
  await keys.forgetOld(time);
  return findings;
}
