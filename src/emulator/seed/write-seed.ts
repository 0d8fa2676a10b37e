// Writes the current data as a seed. Omits default values, the records that a start adds, and the records that only running adds, such
// as sign-ins, tokens that expire, mails and jobs.

import { unlessInvalid } from '#contract/schema.ts';
import { defaults, readyApplication } from '../state/default-members.ts';
import type { Store } from '../state/store.ts';
import { isSame } from '../task/changes.ts';
import { seedVersion } from './seed-records.ts';
import { nameInFile, type SeedList, seedLists, storedMembers } from './seed-rows.ts';

export type Seed = { readonly version: number } & Readonly<Partial<Record<SeedList, readonly object[]>>>;

export function writeSeed(store: Store): Seed {
  const defaultAccount = [...store.accounts.keys()][0];
  const lists = seedLists.flatMap((list): [SeedList, object[]][] => {
    const records = [...store[list].values()].filter((record) => !isAdded(list, record));
    const written = records.map((record) => toRecord(list, record, defaultAccount));
    return written.length === 0 ? [] : [[list, written]];
  });
  return { version: seedVersion, ...Object.fromEntries(lists) };
}

/** Members have the order of the schema, so that the same data makes the same text. */
function toRecord(list: SeedList, record: object, defaultAccount: string | undefined): object {
  const members = new Map<string, unknown>(Object.entries(record));
  const written: Record<string, unknown> = {};
  const values: Readonly<Record<string, unknown>> = defaults[list];
  for (const [member, schema] of storedMembers(list)) {
    const value = members.get(member);
    if (value === undefined || isSame(value, values[member])) continue;
    if (member === 'accountId' && value === defaultAccount) continue;
    written[nameInFile(list, member)] = unlessInvalid(() => schema.validate(value)) ?? value;
  }
  return written;
}

function isAdded(list: SeedList, record: object): boolean {
  const members = new Map<string, unknown>(Object.entries(record));
  if (list === 'folders') return ['root', 'bin'].includes(String(members.get('kind')));
  if (list === 'tokens')
    return members.has('sample') || members.get('use') !== 'access' || members.has('expires');
  return list === 'applications' && isSame(record, readyApplication);
}
