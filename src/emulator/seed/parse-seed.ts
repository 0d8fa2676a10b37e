// Makes the emulator's first data of a seed: what a file says, completed and checked. Every problem is named with its place.

import { validateHookUrl } from '#contract/hook-url.ts';
import { formatValue, type Schema, ValidationError } from '#contract/schema.ts';
import { validateDates } from '#contract/task-rules.ts';
import { validateWebhookCreate } from '#contract/webhook.ts';
import type { Snapshot } from '../state/store.ts';
import { storedSchemas } from '../state/stored-schemas.ts';
import { validateCustomFieldValue } from '../task/custom-field-value.ts';
import { addAccountRecords, addRequiredRecords, fillMembers, type SeedDefaults } from './complete-seed.ts';
import { nameInFile } from './seed-members.ts';
import { SeedError, type SeedPath, type SeedProblem, SeedProblems } from './seed-problems.ts';
import { assignIds, checkValues, type Drafts, readDrafts } from './seed-records.ts';
import { findLoops, resolveReferences } from './seed-references.ts';
import { type SeedList, seedLists } from './seed-rows.ts';

export interface SeedOptions extends SeedDefaults {
  /** Whether a webhook may point to this machine. */
  readonly allowLoopback?: boolean | undefined;
}

/** The data of a seed, without what only running adds. */
export interface SeedData extends Pick<Snapshot, SeedList> {
  /** The user whose permanent token the emulator prints. */
  readonly ownerId: string;
}

/** `seed`: as JSON has it. All of its problems, or what it makes. */
export function readSeed(
  seed: unknown,
  options: SeedOptions = {},
): SeedData | { readonly problems: readonly SeedProblem[] } {
  try {
    return parseSeed(seed, options);
  } catch (error) {
    if (error instanceof SeedError) return { problems: error.problems };
    throw error;
  }
}

/** Throws a {@link SeedError} with every problem. */
function parseSeed(seed: unknown, options: SeedOptions): SeedData {
  const problems = new SeedProblems();
  const drafts = readDrafts(seed, problems);
  checkValues(drafts, problems);
  problems.throwIfAny();
  addRequiredRecords(drafts);
  assignIds({ ...drafts, ...withoutAllBut('accounts') }, '', problems);
  addAccountRecords(drafts);
  assignIds(drafts, String(drafts.accounts[0]?.members['id']), problems);
  problems.throwIfAny();
  resolveReferences(drafts, problems);
  problems.throwIfAny();
  findLoops(drafts, problems);
  fillMembers(drafts, options, problems);
  checkHooks(drafts, options, problems);
  problems.throwIfAny();
  const data = toData(drafts, problems);
  problems.throwIfAny();
  checkTogether(drafts, data, problems);
  problems.throwIfAny();
  const [account] = data.accounts;
  const owner = data.users.find(
    ({ admin, deleted, accountId }) => admin && !deleted && accountId === account?.id,
  );
  // The drafts had one, or there was a problem.
  if (owner === undefined) throw new Error('A seed without an administrator was accepted');
  return { ...data, ownerId: owner.id };
}

function withoutAllBut(kept: SeedList): Partial<Drafts> {
  const others = Object.keys(storedSchemas).filter((list) => list !== kept);
  return Object.fromEntries(others.map((list) => [list, []]));
}

function checkHooks(
  { webhooks }: Drafts,
  { allowLoopback = false }: SeedOptions,
  problems: SeedProblems,
): void {
  for (const { path, members } of webhooks)
    problems.check([...path, 'hookUrl'], () => checkHook(String(members['hookUrl']), allowLoopback));
}

function checkHook(text: string, allowLoopback: boolean): void {
  try {
    validateHookUrl(text, { allowLoopback });
  } catch (error) {
    // Throws the same again, unless the rule against this machine alone is broken.
    validateHookUrl(text, { allowLoopback: true });
    if (allowLoopback) throw error;
    throw new ValidationError(formatValue(text), 'is on this machine, which needs --allow-local-hooks');
  }
}

/** Finds records that are valid by themselves, but that no request could create. */
function checkTogether(drafts: Drafts, data: Omit<SeedData, 'ownerId'>, problems: SeedProblems): void {
  const fields = new Map(data.customFields.map((one) => [one.id, one]));
  const users = new Set(data.users.map(({ id }) => id));
  for (const [at, { dates, customFields }] of data.tasks.entries()) {
    const path = drafts.tasks[at]?.path ?? [];
    problems.check([...path, 'dates'], () => validateDates(dates));
    checkFields(path, customFields);
  }
  for (const [at, { customFields }] of data.folders.entries())
    checkFields(drafts.folders[at]?.path ?? [], customFields);
  for (const [at, webhook] of data.webhooks.entries())
    problems.check([...(drafts.webhooks[at]?.path ?? []), 'parameterisedEvents'], () =>
      validateWebhookCreate(webhook),
    );

  function checkFields(path: SeedPath, values: readonly { readonly id: string; readonly value: string }[]) {
    for (const [at, { id, value }] of values.entries()) {
      const field = fields.get(id);
      if (field !== undefined)
        problems.check([...path, 'customFields', at, 'value'], () =>
          validateCustomFieldValue(field, value, (user) => users.has(user)),
        );
    }
  }
}

function toData(drafts: Drafts, problems: SeedProblems): Omit<SeedData, 'ownerId'> {
  const finish = (list: SeedList): readonly unknown[] => {
    const schema: Schema<unknown> & { readonly shape: object } = storedSchemas[list];
    return drafts[list].flatMap(({ path, members }) => {
      for (const [member, value] of Object.entries(schema.shape)) {
        const given = members[member];
        if (given === undefined) continue;
        const one: Schema<unknown> = value;
        const name = nameInFile(list, member) ?? member;
        if (problems.check([...path, name], () => one.validate(given)) === undefined) return [];
      }
      return problems.check(path, () => schema.validate(members)) ?? [];
    });
  };
  // Each list has what its schema says.
  return Object.fromEntries(seedLists.map((list) => [list, finish(list)])) as Omit<SeedData, 'ownerId'>;
}
