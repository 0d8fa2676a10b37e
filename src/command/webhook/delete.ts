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
import { chooseWebhooks, howToName, selectionFlags, webhookArgument } from './select/choose.ts';
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
    const { ids, known } = await chooseWebhooks(context, {
      given,
      flags,
      verb: 'delete',
      pick: { of: () => true, none: 'No webhook to delete' },
    });
    const paths = ids.map((webhookId) => ({ webhookId }));
    if (await printEachIfDryRun(context, operations.deleteWebhook, paths, {})) return;
    for (const path of paths) prepareRequest(operations.deleteWebhook, path, {});
    const [only, ...more] = ids;
    if (only !== undefined && more.length === 0) await deleteSingle(context, only);
    else await deleteSeveral(context, ids, known);
  },
});

async function deleteSingle(context: Context, id: string): Promise<void> {
  const record = (await readBefore(context, id))?.record;
  await confirmTargets(context, 'delete', [{ id, record }], ' for good');
  context.onInterruptHint(() => formatNextCommands(context, deletion.verb, [id], [id]));
  await show(context, [await deleteOne(context, { id, record })]);
}

/** One after the other, after one question for all of them. Throws what the command ends with, where a part failed. */
async function deleteSeveral(
  context: Context,
  ids: readonly string[],
  known: ReadonlyMap<string, ReadWebhook>,
): Promise<void> {
  const before = new Map<string, ReadWebhook | undefined>();
  const outcomes = new Map<string, Deleted | Failure>();
  const standing = {
    given: context,
    ids,
    outcomes,
    change: deletion,
    nameOf: (id: string) => describeById(before, id),
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
  const targets = [...before].map(([id, seen]): ChangeTarget => ({ id, record: seen?.record }));
  await confirmTargets(context, 'delete', targets, ' for good');

  context.onInterruptHint(() => interruptHint(standing));
  const ending = await deleteEach(context, targets, outcomes);
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
): Promise<Failure | undefined> {
  for (const target of targets) {
    try {
      outcomes.set(target.id, await tryOne(context, target, () => deleteOne(context, target)));
    } catch (thrown) {
      const failure = toFailure(thrown);
      outcomes.set(target.id, failure);
      return failure;
    }
  }
  return undefined;
}

async function show({ report }: Context, deleted: readonly Deleted[]): Promise<void> {
  await report.each({
    columns: deletedColumns,
    records: deleted,
    raw: deleted.map(({ id, hookUrl }) => ({ id, hookUrl, deleted: true })),
  });
}
