// `wm webhook delete`: deletes webhooks for good; the service keeps nothing of them.

import { prepareRequest } from '../../client/session.ts';
import { operations } from '../../contract/operation.ts';
import { Failure, toFailure } from '../../failure.ts';
import { command } from '../command.ts';
import type { Context } from '../context.ts';
import { printEachIfDryRun } from '../send.ts';
import { endedEarly, interruptHint, partFailed } from './change/change-progress.ts';
import { describeById, tryOne } from './change/change-several.ts';
import { formatNextCommands, readBefore } from './change/change-status.ts';
import { type ChangeTarget, confirmTargets } from './change/confirm.ts';
import { type Deleted, deletedColumns, deleteOne, deletion } from './change/delete-one.ts';
import { createBatch, forgetWebhooks } from './change/record-changes.ts';
import type { LocalWebhook, LocalWebhooks } from './local/local-webhook.ts';
import { type Chosen, chooseWebhooks, howToName, selectionFlags, webhookArgument } from './select/choose.ts';
import type { ReadWebhook } from './select/read-webhook.ts';

export default command({
  sendsRequests: true,
  examples: [
    { description: 'Pick webhooks from a list', command: 'wm webhook delete' },
    { description: 'In a script, without a prompt', command: 'wm webhook delete IEAAAAAQJAAAAAAB --yes' },
    {
      description: 'Delete several webhooks',
      command: 'wm webhook delete IEAAAAAQJAAAAAAB IEAAAAAQJAAAAAAC --yes',
    },
    {
      description: 'Delete all webhooks of a host',
      command: "wm webhook delete --all --url 'https://old.example/*' --yes",
    },
  ],
  details: `${howToName}

To stop deliveries for a while, suspend the webhook instead: wm webhook suspend ID

If one webhook fails, wm still tries the others and exits with status 8. A failure that affects them all, such as an
expired sign-in, ends the command, and wm prints the command that continues with the rest.`,
  pipeColumns: deletedColumns,
  arguments: { id: webhookArgument },
  flags: selectionFlags,
  async run({ arguments: { id: given }, flags }, context) {
    const chosen = await chooseWebhooks(context, {
      given,
      flags,
      verb: 'delete',
      pick: { of: () => true, none: 'No webhook to delete' },
    });
    const { ids, local } = chosen;
    const paths = ids.map((webhookId) => ({ webhookId }));
    if (await printEachIfDryRun(context, operations.deleteWebhook, paths, {})) return;
    for (const path of paths) prepareRequest(operations.deleteWebhook, path, {});
    const [only, ...more] = ids;
    if (only !== undefined && more.length === 0) await deleteSingle(context, only, local.get(only));
    else await deleteSeveral(context, chosen);
  },
});

async function deleteSingle(context: Context, id: string, local: LocalWebhook | undefined): Promise<void> {
  const record = (await readBefore(context, id))?.record;
  const target = { id, record, local };
  await confirmTargets(context, 'delete', [target], ' for good');
  context.onInterruptHint(() => formatNextCommands(context, deletion.verb, [id], [id]));
  const deleted = await deleteOne(context, target);
  await forgetWebhooks(context, [id], new Map(local ? [[id, local]] : []));
  await show(context, [deleted]);
}

/** One after the other, after one question for all of them. Throws what the command ends with, where a part failed. */
async function deleteSeveral(context: Context, { ids, known, local }: Chosen): Promise<void> {
  const before = new Map<string, ReadWebhook | undefined>();
  const outcomes = new Map<string, Deleted | Failure>();
  const standing = {
    given: context,
    ids,
    outcomes,
    change: deletion,
    nameOf: (id: string) => describeById(before, local, id),
  };
  try {
    for (const id of ids) {
      const seen = known.get(id) ?? (await tryOne(context, { id }, () => readBefore(context, id)));
      if (seen instanceof Failure) outcomes.set(id, seen);
      else before.set(id, seen);
    }
  } catch (thrown) {
    throw endedEarly(toFailure(thrown), standing);
  }
  const targets = [...before].map(
    ([id, seen]): ChangeTarget => ({
      id,
      record: seen?.record,
      local: local.get(id),
    }),
  );
  await confirmTargets(context, 'delete', targets, ' for good');

  context.onInterruptHint(() => interruptHint(standing));
  const ending = await deleteEach(context, targets, outcomes, local);
  await show(
    context,
    [...outcomes.values()].flatMap((one) => (one instanceof Failure ? [] : [one])),
  );
  const failure = ending ? endedEarly(ending, standing) : partFailed(standing);
  if (failure) throw failure;
}

/** The failure that kept the rest from being tried, where there was one. */
async function deleteEach(
  context: Context,
  targets: readonly ChangeTarget[],
  outcomes: Map<string, Deleted | Failure>,
  local: LocalWebhooks,
): Promise<Failure | undefined> {
  const gone = createBatch<string>(context.world, (ids) => forgetWebhooks(context, ids, local));
  let ending: Failure | undefined;
  for (const target of targets) {
    try {
      const outcome = await tryOne(context, target, () => deleteOne(context, target));
      outcomes.set(target.id, outcome);
      if (!(outcome instanceof Failure)) await gone.add(target.id);
    } catch (thrown) {
      ending = toFailure(thrown);
      outcomes.set(target.id, ending);
      break;
    }
  }
  await gone.flush();
  return ending;
}

async function show({ report }: Context, deleted: readonly Deleted[]): Promise<void> {
  await report.each({
    columns: deletedColumns,
    records: deleted,
    raw: deleted.map(({ id, hookUrl }) => ({ id, hookUrl, deleted: true })),
  });
}
