// The members of a record as a file names them, and as the emulator does: one table for reading and for writing.

import { storedSchemas } from '../state/stored-schemas.ts';
import { derived, namesInFile, type SeedList } from './seed-rows.ts';

export type SeedRecord = Readonly<Record<string, unknown>>;

/** A webhook of a folder or a space names it; the emulator stores which of the two it is. */
const places = { folderId: 'folder', spaceId: 'space' } as const;
const placeMembers: readonly string[] = ['scope', 'placeId'];

export function nameInFile(list: SeedList, member: string): string | undefined {
  if (derived[list]?.includes(member)) return undefined;
  if (list === 'webhooks' && placeMembers.includes(member)) return undefined;
  return namesInFile[list]?.[member] ?? member;
}

/** The name in a file of the place of a webhook: it says what the place is. */
export const placeName = (members: SeedRecord) => `${String(members['scope'])}Id`;

export function memberNames(list: SeedList): readonly string[] {
  const stored = Object.keys(storedSchemas[list].shape).flatMap((member) => nameInFile(list, member) ?? []);
  return list === 'webhooks' ? [...stored, ...Object.keys(places)] : stored;
}

export function storedName(list: SeedList, name: string): string {
  const renamed = Object.entries(namesInFile[list] ?? {}).find(([, inFile]) => inFile === name);
  if (renamed !== undefined) return renamed[0];
  return list === 'webhooks' && Object.hasOwn(places, name) ? 'placeId' : name;
}

/** The members of a file's record under their stored names. */
export function toStoredMembers(list: SeedList, record: SeedRecord): Record<string, unknown> {
  const stored: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) stored[storedName(list, name)] = value;
  if (list === 'webhooks')
    for (const [name, scope] of Object.entries(places))
      if (record[name] !== undefined) stored['scope'] = scope;
  return stored;
}

/** The members of a stored record under the names that a file has. */
export function toFileMembers(list: SeedList, record: SeedRecord): Record<string, unknown> {
  const inFile: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(record)) {
    const name = nameInFile(list, member);
    if (name !== undefined && value !== undefined) inFile[name] = value;
  }
  if (list === 'webhooks')
    for (const [name, scope] of Object.entries(places))
      if (record['scope'] === scope) inFile[name] = record['placeId'];
  return inFile;
}
