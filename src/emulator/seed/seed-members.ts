// Translates between the names of members in a seed file and in the emulator.

import { storedSchemas } from '../state/stored-schemas.ts';
import { derived, namesInFile, type SeedList } from './seed-rows.ts';

type SeedRecord = Readonly<Record<string, unknown>>;

/** A webhook in a file has a folderId or a spaceId. The emulator stores a placeId and the scope. */
const scopes = { folderId: 'folder', spaceId: 'space' } as const;

export function nameInFile(list: SeedList, member: string): string | undefined {
  if (derived[list]?.includes(member)) return undefined;
  if (list === 'webhooks' && (member === 'scope' || member === 'placeId')) return undefined;
  return namesInFile[list]?.[member] ?? member;
}

/** `folderId` or `spaceId`: the name that `placeId` of a webhook has in a file. */
export const placeName = (members: SeedRecord) => `${String(members['scope'])}Id`;

export function memberNames(list: SeedList): readonly string[] {
  const stored = Object.keys(storedSchemas[list].shape).flatMap((member) => nameInFile(list, member) ?? []);
  return list === 'webhooks' ? [...stored, ...Object.keys(scopes)] : stored;
}

export function storedName(list: SeedList, name: string): string {
  const renamed = Object.entries(namesInFile[list] ?? {}).find(([, inFile]) => inFile === name);
  if (renamed !== undefined) return renamed[0];
  return list === 'webhooks' && Object.hasOwn(scopes, name) ? 'placeId' : name;
}

export function toStoredMembers(list: SeedList, record: SeedRecord): Record<string, unknown> {
  const stored: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(record)) stored[storedName(list, name)] = value;
  if (list === 'webhooks')
    for (const [name, scope] of Object.entries(scopes))
      if (record[name] !== undefined) stored['scope'] = scope;
  return stored;
}

export function toFileMembers(list: SeedList, record: SeedRecord): Record<string, unknown> {
  const fileMembers: Record<string, unknown> = {};
  for (const [member, value] of Object.entries(record)) {
    const name = nameInFile(list, member);
    if (name !== undefined && value !== undefined) fileMembers[name] = value;
  }
  if (list === 'webhooks')
    for (const [name, scope] of Object.entries(scopes))
      if (record['scope'] === scope) fileMembers[name] = record['placeId'];
  return fileMembers;
}
