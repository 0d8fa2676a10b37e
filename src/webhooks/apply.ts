// `wm webhook apply`: brings the webhooks of the service in line with a file.

import { isDeepStrictEqual } from 'node:util';
import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { formatCommandWith, formatRepeatedCommand } from '#cli/format-command.ts';
import { commandHint, Failure, toFailure, usageError } from '#failure.ts';
import { showKnownAccount } from './change/confirm.ts';
import { applyPlan, requestsOf, stepsOf } from './hooks-file/apply-plan.ts';
import type { HookEntry } from './hooks-file/hooks-file.ts';
import { isChange, type PlanItem } from './hooks-file/hooks-plan.ts';
import {
  type Applied,
  appliedColumns,
  assertNotBlocked,
  describeItem,
  planFlags,
  readPlan,
  reportOthers,
  toAppliedRow,
  toPlanRow,
} from './hooks-file/plan-columns.ts';
import { fileArgument, readHooksFile } from './hooks-file/read-hooks-file.ts';
import { checkCustomFields } from './new-webhook/check-custom-fields.ts';
import { printRequests, toNewWebhook, validateCreate } from './new-webhook/create-request.ts';
import { lockCreation } from './new-webhook/if-not-exists.ts';
import { recordLabels } from './records/label.ts';
import { readStoredSecret } from './secrets/find-secret.ts';

export default command({
  sendsRequests: true,
  changes: 'the service',
  examples: {
    'Show the plan, confirm it, and do it': 'wm webhook apply hooks.yaml',
    'In CI': 'wm webhook apply hooks.yaml --yes',
  },
  details: `Shows the plan first, as \`wm webhook diff\` does, and asks. The service cannot edit a webhook, so one that differs is replaced:
wm creates the successor, then deletes the old one. Between the two, both deliver the same events. docs/webhook-file.md says how
an entry finds its webhook; a webhook whose URL and scope are not in the file is left alone and listed.

A second run changes nothing. After a crash, run it again: it continues from what the service has, also on another machine.

wm reads the secrets of new webhooks from the variables, or the store, that the file names. The service sends a
handshake to a URL with a secret, so the receiver must be running.`,
  pipeColumns: appliedColumns,
  arguments: { file: fileArgument },
  flags: planFlags,
  async run({ arguments: { file }, flags }, context) {
    const { yes } = context.common;
    if (yes && !context.isDryRun) await lockCreation(context);
    const entries = await readHooksFile(context, file);
    const plan = await readPlan(context, entries, flags);
    const { items } = plan;
    const changes = items.filter(isChange);
    for (const item of changes) await context.report.warn(`  ${describeItem(item)}`);
    await reportOthers(context, items);
    assertNotBlocked(context, file, changes);
    if (context.isDryRun)
      return printRequests(context, (requests) => changes.flatMap((item) => requestsOf(item, requests)));

    const created = changes.flatMap((item) => stepsOf(item).created ?? []);
    for (const entry of created) validateCreate(toNewWebhook(entry.url, entry));
    const filters = created.flatMap(({ parameterisedEvents = [] }) => parameterisedEvents);
    await checkCustomFields(context, filters, `parameterisedEvents of ${file}`);
    const secrets = await readEntrySecrets(context, file, created);
    if (changes.length === 0)
      await context.report.info('Nothing differs from the file. Nothing was changed.');
    else {
      await showKnownAccount(context, plan.hooks);
      await context.confirm(
        `Make ${changes.length === 1 ? 'this change' : `these ${changes.length} changes`}?`,
      );
      if (!yes) {
        await lockCreation(context);
        assertUnchanged(context, file, items, (await readPlan(context, entries, flags)).items);
      }
    }
    const again = `To continue: ${formatRepeatedCommand(context, 'webhook apply', [file])}`;
    context.onInterruptHint(() => again);
    const done: Applied[] = [];
    const stored = entries.flatMap(({ secret }) => (secret && 'stored' in secret ? [secret.stored] : []));
    const knownIds = new Set(plan.hooks.map(({ record }) => record.id));
    const options = { secrets, secretsToKeep: new Set(stored), knownIds, again };
    const failure = await applyPlan(context, changes, options, done).catch(toFailure);
    await recordLabels(context, labelsOf(items, done));
    const rows = done.map(toAppliedRow);
    await context.report.list({ columns: appliedColumns, records: rows, raw: rows.map(({ json }) => json) });
    if (failure) throw failure;
  },
});

/** A webhook that may belong to another entry gets no label: a wrong label is worse than none. */
function labelsOf(items: readonly PlanItem[], done: readonly Applied[]): ReadonlyMap<string, string> {
  const certain = items.filter(({ change, isUncertain }) => change === 'same' && !isUncertain);
  const labelled = [...certain.map((item) => ({ item, webhook: item.hook })), ...done];
  return new Map(
    labelled.flatMap(({ item: { entry }, webhook }) =>
      webhook && entry?.label !== undefined ? [[webhook.record.id, entry.label]] : [],
    ),
  );
}

type Items = readonly PlanItem[];

function assertUnchanged(context: Context, file: string, shown: Items, now: Items): void {
  // Sorted: the service does not promise an order.
  const rowsOf = (items: Items) => items.map((item) => JSON.stringify(toPlanRow(item))).toSorted();
  if (isDeepStrictEqual(rowsOf(shown), rowsOf(now))) return;
  throw new Failure('other', {
    message: 'The plan changed after you confirmed it; nothing was changed',
    why: 'the webhooks have changed since the plan was made',
    hint: commandHint('To see the new plan: ', formatCommandWith(context, 'webhook diff', [file])),
  });
}

async function readEntrySecrets(context: Context, path: string, entries: readonly HookEntry[]) {
  const secrets = new Map<HookEntry, string>();
  const missing: (readonly [message: string, hint: string])[] = [];
  for (const entry of entries) {
    const { line, url, secret } = entry;
    if (secret === undefined) continue;
    const webhook = `the webhook ${url} on line ${line} of ${path}`;
    const text =
      'variable' in secret
        ? context.world.environment[secret.variable]
        : (await readStoredSecret(context, secret.stored))?.text;
    context.world.secrets.add(text);
    if (text) secrets.set(entry, text);
    else if ('stored' in secret)
      missing.push([
        `No secret is stored for ${secret.stored}, which ${webhook} refers to`,
        `To store it: ${formatCommandWith(context, 'webhook secret', [secret.stored], '--store')}`,
      ]);
    else {
      const problem = `${secret.variable} is ${text === undefined ? 'not set' : 'empty'}`;
      missing.push([problem, `Set it to the secret of ${webhook}.`]);
    }
  }
  const [first, ...rest] = missing;
  if (first === undefined) return secrets;
  if (rest.length === 0) throw usageError(...first);
  throw usageError(
    `${missing.length} secrets are missing; nothing was changed`,
    missing.map((texts) => texts.join('. ')).join('\n'),
  );
}
