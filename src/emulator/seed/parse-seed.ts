// Turns a seed into the emulator's initial data: completes and validates it. Reports every problem with its path.

import { validateHookUrl } from '#contract/hook-url.ts';
import { invalidValue, type Schema, unlessInvalid } from '#contract/schema.ts';
import { validateDates } from '#contract/task-rules.ts';
import { validateWebhookCreate } from '#contract/webhook-create.ts';
import type { Snapshot } from '../state/store.ts';
import { storedSchemas } from '../state/stored-schemas.ts';
import { validateCustomFieldValue } from '../update/custom-field-value.ts';
import { addAccountRecords, addRequiredRecords, fillMembers } from './complete-seed.ts';
import {
  assignIds,
  checkValues,
  type Drafts,
  readDrafts,
  type SeedPath,
  SeedProblems,
} from './seed-records.ts';
import { findLoops, resolveReferences } from './seed-references.ts';
import { nameInFile, type SeedList, seedLists } from './seed-rows.ts';

interface SeedOptions {
  /** The application of webhooks and tokens that do not name one. */
  readonly applicationId?: string | undefined;
  readonly allowLoopback?: boolean | undefined;
}

/** The data of a seed, without records that only running adds, such as mails and jobs. */
export interface SeedData extends Pick<Snapshot, SeedList> {
  /** The user whose permanent token the emulator prints. */
  readonly ownerId: string;
}

/** `seed`: parsed JSON. Returns its data or its problems. */
export function readSeed(seed: unknown, options: SeedOptions = {}) {
  const problems = new SeedProblems();
  try {
    return parseSeed(seed, options, problems);
  } catch (error) {
    if (error === problems) return { problems: problems.problems };
    throw error;
  }
}

function parseSeed(seed: unknown, options: SeedOptions, problems: SeedProblems): SeedData {
  const drafts = readDrafts(seed, problems);
  checkValues(drafts, problems);
  problems.throwIfAny();
  addRequiredRecords(drafts);
  assignIds({ accounts: drafts.accounts }, '', problems);
  addAccountRecords(drafts);
  assignIds(drafts, String(drafts.accounts[0]?.members['id']), problems);
  problems.throwIfAny();
  resolveReferences(drafts, problems);
  problems.throwIfAny();
  findLoops(drafts, problems);
  fillMembers(drafts, problems, options.applicationId);
  for (const { path, members } of drafts.webhooks)
    problems.check([...path, 'hookUrl'], () => checkHook(String(members['hookUrl']), options.allowLoopback));
  problems.throwIfAny();
  const data = toData(drafts, problems);
  problems.throwIfAny();
  checkRules(drafts, data, problems);
  problems.throwIfAny();
  const [account] = data.accounts;
  const owner = data.users.find((user) => user.admin && !user.deleted && user.accountId === account?.id);
  // Otherwise, there would have been a problem.
  if (owner === undefined) throw new Error('A seed without an administrator was accepted');
  return { ...data, ownerId: owner.id };
}

function checkHook(text: string, allowLoopback = false): void {
  if (unlessInvalid(() => validateHookUrl(text, { allowLoopback })) !== undefined) return;
  // Throws the same error again, unless the URL only breaks the rule against this machine.
  validateHookUrl(text, { allowLoopback: true });
  throw invalidValue(text, 'is on this machine, which needs --allow-local-hooks');
}

/** Finds valid records that no request could create. */
function checkRules(drafts: Drafts, data: Omit<SeedData, 'ownerId'>, problems: SeedProblems): void {
  const fields = new Map(data.customFields.map((field) => [field.id, field]));
  const users = new Set(data.users.map(({ id }) => id));
  const pathOf = (list: SeedList, index: number): SeedPath => drafts[list][index]?.path ?? [];
  for (const list of ['tasks', 'folders'] as const)
    for (const [index, record] of data[list].entries()) {
      const path = pathOf(list, index);
      if ('dates' in record) problems.check([...path, 'dates'], () => validateDates(record.dates));
      for (const [at, { id, value }] of record.customFields.entries()) {
        const field = fields.get(id);
        if (field !== undefined)
          problems.check([...path, 'customFields', at, 'value'], () =>
            validateCustomFieldValue(value, field, (user) => users.has(user)),
          );
      }
    }
  for (const [index, webhook] of data.webhooks.entries())
    problems.check([...pathOf('webhooks', index), 'parameterisedEvents'], () =>
      validateWebhookCreate(webhook),
    );
}

function toData(drafts: Drafts, problems: SeedProblems): Omit<SeedData, 'ownerId'> {
  const validateList = (list: SeedList): readonly unknown[] => {
    const record: Schema<unknown> & { readonly shape: object } = storedSchemas[list];
    return drafts[list].flatMap(({ path, members }) => {
      for (const [member, schema] of Object.entries<Schema<unknown>>(storedSchemas[list].shape)) {
        const value = members[member];
        if (value === undefined) continue;
        const memberPath = [...path, nameInFile(list, member)];
        if (problems.check(memberPath, () => schema.validate(value)) === undefined) return [];
      }
      return problems.check(path, () => record.validate(members)) ?? [];
    });
  };
  // Each list has the records of its schema.
  return Object.fromEntries(seedLists.map((list) => [list, validateList(list)])) as Omit<SeedData, 'ownerId'>;
}
