// Translates between the names of members in a seed file and in the emulator.

import { storedSchemas } from '../state/stored-schemas.ts';
import { derived, namesInFile, type SeedList } from './seed-rows.ts';

/** The members that a file may have, under their stored names. */
export const storedMembers = (list: SeedList): readonly string[] =>
  Object.keys(storedSchemas[list].shape).filter((member) => !derived[list]?.includes(member));

export const nameInFile = (list: SeedList, member: string): string => namesInFile[list]?.[member] ?? member;

export const memberNames = (list: SeedList): readonly string[] =>
  storedMembers(list).map((member) => nameInFile(list, member));

export function toStoredMembers(
  list: SeedList,
  record: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const storedNames = new Map(
    Object.entries(namesInFile[list] ?? {}).map(([member, name]) => [name, member]),
  );
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [storedNames.get(name) ?? name, value]),
  );
}
