// Caches the ids and titles of records that a session receives, so that a shell can complete ids without the service. A command
// collects a limited number, and appends them at its end to one file for each account, without a lock that it would have to wait for.

import { join } from 'node:path';
import type { PathArguments } from '#client/request.ts';
import type { ApiResponse } from '#client/response.ts';
import type { JsonObject } from '#contract/json.ts';
import type { Operation } from '#contract/operation.ts';
import { apiBaseUrl } from '#login/host.ts';
import { assertPrivateStateFolder } from '#login/private-folder.ts';
import {
  type AccountOptions,
  findBaseUrl,
  type SelectedAccount,
  selectProfile,
} from '#login/select-account.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import type { World } from '#world/world.ts';
import { withoutQuery } from './local-webhook.ts';
import { safeFileName } from './monthly-log.ts';

export const recordKinds = ['task', 'folder', 'space', 'user', 'webhook'] as const;
export type RecordKind = (typeof recordKinds)[number];

export interface CachedRecord {
  readonly kind: RecordKind;
  readonly id: string;
  /** On one line, without control characters. */
  readonly title: string;
}

type CacheOwner = Pick<SelectedAccount, 'baseUrl' | 'profile'>;

type FileWorld = Pick<World, 'files'>;

/** A file that exceeds this is cut to its newer half. */
const maxBytes = 256 * 1024;
const maxTitleLength = 100;

/** Ids that need no quoting in any shell. Other ids are not stored. */
const plainId = /^[A-Za-z0-9][A-Za-z0-9_.:=-]{0,255}$/;

const cacheFolder = ({ files }: FileWorld): string => join(files.stateFolder, 'completion');

/** A profile's name has no @. Includes the port, since two emulators have different records. */
function fileName({ baseUrl, profile = '' }: CacheOwner): string {
  return `${profile}@${safeFileName(new URL(baseUrl).host)}.tsv`;
}

/** The stored form of a record; `undefined` if its id or title is useless. */
export function toCachedRecord(kind: RecordKind, id: unknown, title: unknown): CachedRecord | undefined {
  if (typeof id !== 'string' || !plainId.test(id) || typeof title !== 'string') return undefined;
  // Cuts the title first: it may be a megabyte.
  const line = sanitizeLine(title.slice(0, 4 * maxTitleLength)).trim();
  return { kind, id, title: [...line].slice(0, maxTitleLength).join('') };
}

/** The last line of each record, by its kind, a tab and its id. The line adds a tab and the title; that of a deleted record is its key. */
type Lines = Map<string, string>;

/** Newest first, without duplicates; empty unless the file can be trusted and read. */
export async function readRecordCache(world: FileWorld, owner: CacheOwner): Promise<readonly CachedRecord[]> {
  try {
    await assertPrivateStateFolder(world);
    const { lines } = await read(world, join(cacheFolder(world), fileName(owner)));
    return [...lines.values()].toReversed().flatMap((line) => parseLine(line) ?? []);
  } catch {
    return [];
  }
}

/** Adds new records. Never rejects: a command must not fail because of a full or read-only disk. */
export async function updateRecordCache(
  world: FileWorld,
  owner: CacheOwner,
  newLines: ReadonlyMap<string, string>,
): Promise<void> {
  if (newLines.size === 0) return;
  try {
    await assertPrivateStateFolder(world);
    const folder = cacheFolder(world);
    const name = fileName(owner);
    const { lines, bytes } = await read(world, join(folder, name));
    const changed = [...newLines].flatMap(([key, line]) => ((lines.get(key) ?? key) === line ? [] : [line]));
    if (changed.length === 0) return;
    const text = changed.join('\n');
    if (bytes + Buffer.byteLength(text) + 2 <= maxBytes) {
      await world.files.appendLine(folder, name, text);
      return;
    }
    for (const line of changed) setLast(lines, line);
    const newer = [...lines.values()].slice(lines.size / 2);
    await world.files.write(join(folder, name), `${newer.join('\n')}\n`, { mode: 0o600 });
  } catch {
    // The next command that reads the records tries again.
  }
}

/** Removes the records of a profile. Never rejects. */
export async function forgetRecords(world: FileWorld, profile: string): Promise<void> {
  const folder = cacheFolder(world);
  const names = await world.files.list(folder).catch(() => []);
  for (const name of names)
    if (name.startsWith(`${profile}@`)) await world.files.remove(join(folder, name)).catch(() => {});
}

/** Each command reads it, so only completion parses the lines. Ignores a file that is too long or not text. Omits deleted records. */
async function read({ files }: FileWorld, path: string) {
  const lines: Lines = new Map();
  // Several processes that append at once may exceed the limit a little.
  const bytes = await files.read(path, { maxBytes: 2 * maxBytes }).catch(() => 'unreadable' as const);
  if (bytes === 'unreadable') return { lines, bytes: maxBytes };
  if (bytes === undefined) return { lines, bytes: 0 };
  for (const line of new TextDecoder().decode(bytes).split('\n')) setLast(lines, line);
  return { lines, bytes: bytes.length };
}

/** Removes a deleted record, and moves any other to the end. */
function setLast(lines: Lines, line: string): void {
  const end = line.indexOf('\t', line.indexOf('\t') + 1);
  const key = end === -1 ? line : line.slice(0, end);
  lines.delete(key);
  if (key !== line) lines.set(key, line);
}

/** Undefined for an invalid line: a user may have edited the file. */
function parseLine(line: string): CachedRecord | undefined {
  const [kindText, id, title] = line.split('\t');
  const kind = recordKinds.find((candidate) => candidate === kindText);
  return kind && toCachedRecord(kind, id, title);
}

/** `undefined` if no account is selected. */
export async function findCacheOwner(world: Pick<World, 'files'>, account: AccountOptions) {
  if (account.token !== undefined) {
    const baseUrl = await findBaseUrl(world, account);
    return baseUrl === undefined ? undefined : { baseUrl };
  }
  const selected = await selectProfile(world, account);
  return selected && { baseUrl: apiBaseUrl(selected.host), profile: selected.name };
}

/** More than a user completes from; a bulk run has a million. */
const maxRecords = 1000;

/** The responses whose records are collected, with the member that holds the title. */
const titleRows: Readonly<
  Record<string, { readonly kind: RecordKind; readonly titleOf: (record: JsonObject) => unknown }>
> = {
  tasks: { kind: 'task', titleOf: ({ title }) => title },
  folders: { kind: 'folder', titleOf: ({ title }) => title },
  spaces: { kind: 'space', titleOf: ({ title }) => title },
  contacts: {
    kind: 'user',
    titleOf: ({ firstName, lastName }) =>
      [firstName, lastName].filter((name) => typeof name === 'string').join(' '),
  },
  webhooks: { kind: 'webhook', titleOf: ({ hookUrl }) => withoutQuery(`${hookUrl}`) },
};

interface CollectorContext {
  readonly world: Pick<World, 'environment' | 'files' | 'secrets'>;
  atEnd(run: () => Promise<void>): void;
}

/** The function to call with each response of the owner's session; undefined in CI. Stores the records once the command has ended. */
export function createRecordCollector({ world, atEnd }: CollectorContext, owner: CacheOwner) {
  if (world.environment['CI']) return undefined;
  const lines: Lines = new Map();
  atEnd(() => updateRecordCache(world, owner, lines));
  return (
    { kind, method }: Pick<Operation, 'kind' | 'method'>,
    path: PathArguments,
    { raw }: Pick<ApiResponse<unknown>, 'raw'>,
  ): void => {
    const row = Object.hasOwn(titleRows, kind) ? titleRows[kind] : undefined;
    if (row === undefined) return;
    const { kind: recordKind, titleOf } = row;
    const deleted = method === 'DELETE' ? Object.values(path).flat() : [];
    for (const id of deleted) {
      const key = `${recordKind}\t${id}`;
      lines.set(key, key);
    }
    for (const record of raw) {
      if (lines.size >= maxRecords) return;
      const title = titleOf(record);
      // Stores only titles, and none with a secret.
      if (typeof title === 'string' && world.secrets.redactCredentials(title) !== title) continue;
      const cached = toCachedRecord(recordKind, record['id'], title);
      if (!cached) continue;
      const key = `${recordKind}\t${cached.id}`;
      lines.set(key, `${key}\t${cached.title}`);
    }
  };
}
