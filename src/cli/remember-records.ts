// Collects the ids and titles of a limited number of the records that a session receives. They are stored for shell completion
// once the command ends.

import type { PathArguments } from '#client/request.ts';
import type { ApiResponse } from '#client/response.ts';
import type { Operation } from '#contract/operation.ts';
import type { World } from '#world/world.ts';
import {
  type CachedRecord,
  type CacheOwner,
  type RecordKind,
  toCachedRecord,
  updateRecordCache,
} from './record-cache.ts';

/** More than a user completes from; a bulk run has a million. */
const maxRecords = 1000;

export type RecordCollector = ReturnType<typeof createRecordCollector>;

/** The responses whose records are collected, with the member that holds the title. */
const titleRows: Readonly<
  Record<string, { readonly kind: RecordKind; readonly titleOf: (record: Members) => unknown }>
> = {
  tasks: { kind: 'task', titleOf: ({ title }) => title },
  folders: { kind: 'folder', titleOf: ({ title }) => title },
  spaces: { kind: 'space', titleOf: ({ title }) => title },
  contacts: {
    kind: 'user',
    titleOf: ({ firstName, lastName }) =>
      [firstName, lastName].filter((name) => typeof name === 'string').join(' '),
  },
  webhooks: { kind: 'webhook', titleOf: ({ hookUrl }) => withoutSecrets(hookUrl) },
};

type Members = Readonly<Record<string, unknown>>;

export function createRecordCollector(world: Pick<World, 'environment' | 'files' | 'secrets'>) {
  const recordsByOwner = new Map<CacheOwner, Map<string, CachedRecord>>();
  const add = (records: Map<string, CachedRecord>, record: CachedRecord | undefined) => {
    if (record && records.size < maxRecords) records.set(`${record.kind} ${record.id}`, record);
  };
  return {
    /** Returns the function to call with each response of the owner's session; undefined in CI, without shell completion. */
    collectFor(owner: CacheOwner) {
      if (world.environment['CI']) return undefined;
      const records = new Map<string, CachedRecord>();
      recordsByOwner.set(owner, records);
      return (
        { kind, method }: Pick<Operation, 'kind' | 'method'>,
        path: PathArguments,
        { raw }: Pick<ApiResponse<unknown>, 'raw'>,
      ): void => {
        const row = Object.hasOwn(titleRows, kind) ? titleRows[kind] : undefined;
        if (row === undefined || records.size >= maxRecords) return;
        if (method === 'DELETE')
          for (const id of Object.values(path).flat()) add(records, { kind: row.kind, id });
        for (const record of raw) {
          const title = row.titleOf(record);
          // Stores only titles, and none with a secret.
          if (typeof title === 'string' && world.secrets.redactCredentials(title) !== title) continue;
          add(records, toCachedRecord(row.kind, record['id'], title));
        }
      };
    },
    /** Called once the command has ended. Never rejects. */
    async store() {
      for (const [owner, records] of recordsByOwner)
        if (records.size > 0) await updateRecordCache(world, owner, records.values());
    },
  };
}

/** Removes the parts of a URL that often hold a secret: the user, the query and the fragment. */
function withoutSecrets(url: unknown): string | undefined {
  if (typeof url !== 'string' || !URL.canParse(url)) return undefined;
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
