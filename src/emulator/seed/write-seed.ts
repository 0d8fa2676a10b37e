// A seed of the present data, as a file has it. What is as it would be without being written is left out; so is what a start
// adds, and what only running leaves: sign-ins under way, tokens that expire, the log, mails and jobs.

import { type Schema, unlessInvalid } from '#contract/schema.ts';
import { constantsOf } from '../state/default-members.ts';
import { sampleApplications } from '../state/sample-ids.ts';
import type { Store } from '../state/store.ts';
import { storedSchemas } from '../state/stored-schemas.ts';
import { toFileMembers } from './seed-members.ts';
import { seedVersion } from './seed-records.ts';
import { type SeedList, seedLists } from './seed-rows.ts';

export type Seed = { readonly version: number } & Readonly<Partial<Record<SeedList, readonly object[]>>>;

export function writeSeed(store: Store): Seed {
  const standardAccount = [...store.accounts.keys()][0];
  const lists = seedLists.flatMap((list): [SeedList, object[]][] => {
    const records = [...store[list].values()].filter((record) => !isAdded(list, record));
    const written = records.map((record) => toRecord(list, record, standardAccount));
    return written.length === 0 ? [] : [[list, written]];
  });
  return { version: seedVersion, ...Object.fromEntries(lists) };
}

/** Members in the order of the rows, so that the same data is the same text. */
function toRecord(list: SeedList, record: object, standardAccount: string | undefined): object {
  const members = new Map<string, unknown>(Object.entries(record));
  const said: Record<string, unknown> = {};
  const shape: Readonly<Record<string, Schema<unknown>>> = storedSchemas[list].shape;
  for (const [member, schema] of Object.entries(shape)) {
    const value = members.get(member);
    const isScope = list === 'webhooks' && member === 'scope';
    if (value === undefined || (!isScope && isSame(value, constantsOf(list)[member]))) continue;
    if (member === 'accountId' && value === standardAccount) continue;
    said[member] = unlessInvalid(() => schema.validate(value)) ?? value;
  }
  return toFileMembers(list, said);
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);

/** Records that every start adds by itself. */
function isAdded(list: SeedList, record: object): boolean {
  const members = new Map<string, unknown>(Object.entries(record));
  if (list === 'folders') return ['root', 'bin'].includes(String(members.get('kind')));
  if (list === 'tokens')
    return members.has('sample') || members.get('use') !== 'access' || members.has('expires');
  return list === 'applications' && isSame(record, { ...sampleApplications.ready, ...ready });
}

const ready = { name: 'Ready application', callbacks: [], loopback: true };
