// Reads the lists of a seed: renames members to their stored names, fills in default values, and gives each record an id. References
// to other records stay as in the file. Collects the problems with their paths, so that the user can correct them all at once.

import { createHash } from 'node:crypto';
import { didYouMean } from '#contract/did-you-mean.ts';
import { isJsonObject } from '#contract/json.ts';
import { formatValue, type Schema, ValidationError } from '#contract/schema.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { defaults } from '../state/default-members.ts';
import { storedSchemas } from '../state/stored-schemas.ts';
import { nameInFile, references, type SeedList, seedLists, seedRows, storedMembers } from './seed-rows.ts';

/** Names of members, and indexes in lists: `['tasks', 3, 'title']`. */
export type SeedPath = readonly (string | number)[];

export interface SeedProblem {
  readonly path: SeedPath;
  /** The problem, and what to do if that is not obvious. */
  readonly message: string;
}

/** Thrown if there are any. */
export class SeedProblems extends Error {
  readonly problems: SeedProblem[] = [];

  add(path: SeedPath, message: string): undefined {
    this.problems.push({ path, message });
  }

  /** Returns what `validate` returns, or undefined after adding its {@link ValidationError} as a problem. */
  check<T>(path: SeedPath, validate: () => T): T | undefined {
    try {
      return validate();
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      const member = path.findLast((step) => typeof step === 'string');
      return this.add(path, member === undefined ? error.message : `${member}: ${error.message}`);
    }
  }

  throwIfAny(): void {
    if (this.problems.length > 0) throw this;
  }
}

export interface Draft {
  /** Empty if it is not in the file. */
  readonly path: SeedPath;
  readonly members: Record<string, unknown>;
}

export type Drafts = Readonly<Record<SeedList, Draft[]>>;

export const seedVersion = 1;

export function readDrafts(seed: unknown, problems: SeedProblems): Drafts {
  // The table has exactly these lists.
  const drafts = Object.fromEntries(seedLists.map((list): [string, Draft[]] => [list, []])) as Drafts;
  if (!isJsonObject(seed)) {
    problems.add([], `is not a map of lists: ${seedLists.join(', ')}`);
    return drafts;
  }
  if (!('version' in seed)) problems.add([], `has no version: write version: ${seedVersion}`);
  else if (seed['version'] !== seedVersion)
    problems.add(['version'], `version is not ${seedVersion}, the only one that this emulator reads`);
  for (const name of Object.keys(seed))
    if (name !== 'version' && !seedLists.some((list) => list === name))
      problems.add(
        [name],
        `${formatValue(name)} is not a list of a seed. ${didYouMean(name, seedLists) ?? `There are: ${seedLists.join(', ')}`}`,
      );
  for (const list of seedLists) {
    const records = seed[list] ?? [];
    if (!Array.isArray(records)) problems.add([list], `${list} is not a list`);
    else
      for (const [index, record] of records.entries()) {
        const draft = readDraft(list, record, [list, index], problems);
        if (draft !== undefined) drafts[list].push(draft);
      }
  }
  return drafts;
}

function readDraft(list: SeedList, record: unknown, path: SeedPath, problems: SeedProblems) {
  const nameOf = (member: string) => nameInFile(list, member);
  const names = storedMembers(list).map(([member]) => nameOf(member));
  const { type } = storedSchemas[list];
  const aRecord = `${/^[aei]/.test(type) ? 'an' : 'a'} ${type}`;
  if (!isJsonObject(record)) return problems.add(path, `is not ${aRecord}: a map of ${names.join(', ')}`);
  for (const name of Object.keys(record))
    if (!names.includes(name))
      problems.add(
        [...path, name],
        `${aRecord} has no ${formatValue(name)}. ${didYouMean(name, names) ?? `It has: ${names.join(', ')}`}`,
      );
  if (list === 'webhooks' && record['folderId'] !== undefined && record['spaceId'] !== undefined)
    problems.add([...path, 'spaceId'], 'a webhook has either a folder or a space: remove one of them');
  for (const name of seedRows[list].required.map(nameOf))
    if (record[name] === undefined) problems.add(path, `has no ${name}, which ${aRecord} needs`);
  const members = storedMembers(list).map(([member]) => [member, record[nameOf(member)]] as const);
  return { path, members: { ...defaults[list], ...omitUndefined(Object.fromEntries(members)) } };
}

/** Validates the values of all members. If a member names another record, checks only that it has a value. */
export function checkValues(drafts: Drafts, problems: SeedProblems): void {
  for (const list of seedLists)
    for (const { path, members } of drafts[list])
      for (const [member, schema] of Object.entries<Schema<unknown>>(storedSchemas[list].shape)) {
        const value = members[member];
        if (value === undefined) continue;
        const memberPath = [...path, nameInFile(list, member)];
        if (references.get(list)?.[member] === undefined && !hasNestedNames(member, value))
          problems.check(memberPath, () => schema.validate(value));
        // YAML reads a missing value as null. A default value would hide the mistake.
        else if (value === null)
          problems.add(memberPath, `null is not ${schema.item === undefined ? 'an id or a name' : 'a list'}`);
      }
}

/** Members whose references are nested, or whose entries get ids later. */
const hasNestedNames = (member: string, value: unknown) =>
  ['customFields', 'customStatusId', 'statuses'].includes(member) ||
  (member === 'project' && isJsonObject(value));

/** Derives an id from a text, so that a record has the same id after every start, wherever it is in the file. */
export function stableId(prefix: string, text: string, length: number): string {
  const bits = [...createHash('sha256').update(text).digest()];
  const letters = bits.map((byte) => 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.charAt(byte % 32)).join('');
  return `${prefix}${letters.slice(0, length)}`;
}

/** Gives an id to each record without one, and reports ids that two records share. */
export function assignIds(drafts: Partial<Drafts>, accountId: string, problems: SeedProblems): void {
  for (const list of seedLists) {
    const rows = drafts[list] ?? [];
    const taken = new Map<unknown, Draft>();
    for (const draft of rows) {
      const { id } = draft.members;
      const holder = taken.get(id);
      if (id !== undefined && holder !== undefined)
        problems.add(
          draft.path,
          `has the same id ${formatValue(id)} as the ${storedSchemas[list].type} ${formatValue(describe(list, holder.members))}`,
        );
      taken.set(id, draft);
    }
    const counts = new Map<string, number>();
    for (const draft of rows) {
      const { members } = draft;
      const text = describe(list, members);
      const count = (counts.get(text) ?? 0) + 1;
      counts.set(text, count);
      if (members['id'] !== undefined) continue;
      const { accountId: own } = members;
      const account = typeof own === 'string' && /^[A-Z0-9]{8}$/.test(own) ? own : accountId;
      const prefix = seedRows[list].idPrefix.replace('*', account);
      const idOf = (attempt: string) =>
        stableId(prefix, `${list}/${text}/${count}${attempt}`, list === 'webhooks' ? 11 : 6);
      let id = idOf('');
      // Ids are short: with 40,000 tasks, two would be the same.
      for (let attempt = 2; taken.has(id); attempt++) id = idOf(`/${attempt}`);
      members['id'] = id;
      taken.set(id, draft);
    }
  }
}

function describe(list: SeedList, members: Readonly<Record<string, unknown>>): string {
  const textOf = (...names: readonly string[]) => toText(names.map((name) => members[name]).find(isPresent));
  if (list === 'users')
    return isPresent(members['email']) ? textOf('email') : `${textOf('firstName')} ${textOf('lastName')}`;
  if (list === 'comments' || list === 'timelogs')
    return `${textOf('taskId', 'folderId')} ${textOf('text', 'hours')}`;
  if (list === 'dependencies') return `${textOf('predecessorId')} ${textOf('successorId')}`;
  return textOf('title', 'name', 'email', 'hookUrl', 'id');
}

const isPresent = (value: unknown) => value !== undefined && value !== null;

/** Never calls `toString`, which an object from JSON may have as a member. */
export const toText = (value: unknown) => (typeof value === 'object' ? JSON.stringify(value) : String(value));
