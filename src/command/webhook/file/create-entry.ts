// Creates the webhook of an entry. If the response was lost, looks for what it created before anybody repeats it.

import { Failure } from '../../../failure.ts';
import type { Context } from '../../context.ts';
import { sendCreate } from '../create/create-request.ts';
import { type Hook, listHooks, toHooks } from '../hook.ts';
import { recordCreated } from '../local/record-created.ts';
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
): Promise<Hook> {
  const { scope = {} } = entry;
  const plain = toCreate(entry);
  const create = { ...plain, ...(secret === undefined ? {} : { secret }) };
  const created = await sendCreate(context, scope, create, { ...plain, ...scope })
    .then(async (response) => response && (await toHooks(context, response))[0])
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
): Promise<Hook> {
  const all = await listHooks(context).catch(() => []);
  const found = all.filter((one) => {
    if (knownIds.has(one.record.id) || urlKey(one.record.hookUrl ?? '') !== urlKey(entry.url)) return false;
    return compareWebhook(entry, findFacts({ ...one, local: undefined })).differences.length === 0;
  });
  const [only] = found;
  if (only === undefined || found.length > 1) throw lost;
  await context.report.warn(
    `The response to creating ${entry.url} was lost; the service lists the new webhook ${only.record.id}.`,
  );
  return only;
}
