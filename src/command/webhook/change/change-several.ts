// Suspends or resumes webhooks: one, or several one after the other.

import { prepareRequest } from '../../../client/session.ts';
import { operations } from '../../../contract/operation.ts';
import type { Context } from '../../context.ts';
import { printEachIfDryRun } from '../../send.ts';
import type { NewNote } from '../local/local-webhook.ts';
import { observeWebhooks } from '../local/observe.ts';
import type { Chosen } from '../select/choose.ts';
import { readWebhook } from '../select/read-webhook.ts';
import { changeEach } from './change-each.ts';
import {
  changeStatus,
  checkAndConfirm,
  type KnownChange,
  makeChange,
  reportUnchanged,
  type StatusChange,
  showWebhooks,
} from './change-status.ts';
import type { ChangeTarget } from './confirm.ts';
import { type Recorded, recordStatuses } from './record-changes.ts';

/** One webhook as well as several. `note` is stored with those that are suspended. */
export async function changeStatuses(
  context: Context,
  chosen: Chosen,
  wanted: StatusChange,
  note?: NewNote,
): Promise<void> {
  const { ids } = chosen;
  // A user who picks from a list may have meant the line above.
  const change: KnownChange = { ...wanted, asks: wanted.asks || chosen.isGuess, local: chosen.local, note };
  const [only, ...more] = ids;
  if (only !== undefined && more.length === 0) return changeStatus(context, only, change);
  const parameters = { status: change.to };
  const paths = ids.map((webhookId) => ({ webhookId }));
  if (await printEachIfDryRun(context, operations.updateWebhook, paths, parameters)) return;
  for (const path of paths) prepareRequest(operations.updateWebhook, path, parameters);

  let { local } = change;
  await changeEach<Recorded>(context, chosen, {
    words: change,
    async confirm(targets) {
      const records = targets.flatMap(({ record }) => record ?? []);
      local = await observeWebhooks(context, records, false, local);
      const toChange = targets.filter(({ record }) => record?.status !== change.to);
      await checkAndConfirm(context, toChange, change);
      // Meanwhile; it never rejects.
      void note?.by();
    },
    run: (target) => changeOne(context, target, { ...change, local }),
    async record(some) {
      local = await recordStatuses(context, some, note, local);
    },
    show: (all) =>
      showWebhooks(
        context,
        all.map(({ webhook }) => webhook),
        local,
      ),
  });
}

async function changeOne(
  context: Context,
  { id, record }: ChangeTarget,
  change: KnownChange,
): Promise<Recorded> {
  // While the user was asked about the others, this one may have been changed.
  const seen = record?.status === change.to ? await readWebhook(context, id) : undefined;
  return seen?.record.status === change.to
    ? { webhook: await reportUnchanged(context, seen, change), changed: false }
    : { webhook: await makeChange(context, id, seen?.record ?? record, change), changed: true };
}
