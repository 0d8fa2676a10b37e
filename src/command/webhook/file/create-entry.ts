// Creates the webhook of an entry. If the response was lost, looks for what it created before anybody repeats it.

import { Failure } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { sendCreate } from '../create/create-request.ts';
import { noLocalWebhooks } from '../local/local-webhook.ts';
import { recordCreated } from '../local/record-created.ts';
import { listWebhooks, type ReadWebhook } from '../select/read-webhook.ts';
import { compareWebhook } from './compare-webhook.ts';
import { type HookEntry, toCreate } from './hooks-file.ts';
import { urlKey } from './settings-key.ts';
import { findFacts } from './webhook-facts.ts';

/**
 * `knownIds`: those that existed before.
 * @throws {Failure} `outcome_unknown` if nobody can tell whether it was created.
 */
export async function createEntry(
  context: Context,
  entry: HookEntry,
  {
    secret,
    label,
    knownIds,
  }: {
    readonly secret: string | undefined;
    readonly label: string | undefined;
    readonly knownIds: ReadonlySet<string>;
  },
): Promise<ReadWebhook> {
  const { scope = {} } = entry;
  const plain = toCreate(entry);
  const create = { ...plain, ...(secret === undefined ? {} : { secret }) };
  const created = await sendCreate(context, scope, create, { ...plain, ...scope })
    .then((response): ReadWebhook | undefined => {
      const [record, raw] = [response?.records[0], response?.raw[0]];
      return record && raw && { record, raw };
    })
    .catch(async (error: unknown) => {
      if (!(error instanceof Failure) || error.code !== 'outcome_unknown') throw error;
      return findCreated(context, entry, knownIds, error);
    });
  if (created === undefined)
    throw new Failure('bad_response', { message: `The service returned no webhook for ${entry.url}` });
  await recordCreated(context, created.record.id, { create, ...scope, label });
  return created;
}

/** The only new webhook that could be it. Throws `lost` if there is none, or several. */
async function findCreated(
  context: Context,
  entry: HookEntry,
  knownIds: ReadonlySet<string>,
  lost: Failure,
): Promise<ReadWebhook> {
  const all = await listWebhooks(context).catch(() => []);
  const found = all.filter((one) => {
    if (knownIds.has(one.record.id) || urlKey(one.record.hookUrl ?? '') !== urlKey(entry.url)) return false;
    return compareWebhook(entry, findFacts(one, noLocalWebhooks)).differences.length === 0;
  });
  const [only] = found;
  if (only === undefined || found.length > 1) throw lost;
  await context.report.warn(
    `The response to creating ${entry.url} was lost; the service lists the new webhook ${only.record.id}.`,
  );
  return only;
}
