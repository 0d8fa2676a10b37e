// `wm webhook rotate-secret ID`: gives a webhook a new secret. The service cannot change a secret, so a successor replaces the
// webhook. Each step is recorded, so that the same command continues after a crash.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { booleanFlag, valueFlag } from '#cli/flags/flag.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { isIdShaped } from '#cli/resolve/id-shape.ts';
import { choice } from '#contract/schema.ts';
import { words } from '#contract/words.ts';
import { commandHint, usageError } from '#failure.ts';
import type { LocalWebhooks } from '#local-records/local-webhook.ts';
import { toReported, webhookColumns } from './columns.ts';
import { chooseOneWebhook, matchWebhooks, webhookArgument } from './matching/choose.ts';
import { newSecretFlags } from './new-webhook/create-secret.ts';
import { describeHook, listHooks, namedHook, readHook, readHookIfThere } from './records/hook.ts';
import { beginRotation } from './rotation/begin-rotation.ts';
import { abortRotation, completeRotation, removeLeftovers } from './rotation/complete-rotation.ts';
import { printPlan } from './rotation/rotation-plan.ts';
import { continueCommand, lockRotation } from './rotation/rotation-state.ts';
import { resolveSettings, settingsFlags } from './rotation/successor-settings.ts';
import { verifyFlags } from './verification/verify-flags.ts';

export default command({
  sendsRequests: true,
  changes: 'the service',
  examples: {
    'With a generated secret; wm waits until the receiver knows it':
      'wm webhook rotate-secret billing --generate-secret',
    'In a script, if the receiver knows both secrets already':
      'wm webhook rotate-secret IEAAAAAQJAAAAAAB --secret-file new-secret.txt --yes',
    'In a script, in two runs: get a new secret, and continue once the receiver knows it': `wm webhook rotate-secret IEAAAAAQJAAAAAAB --generate-secret --prepare
wm webhook rotate-secret IEAAAAAQJAAAAAAB --generate-secret --yes`,
    'Go back': 'wm webhook rotate-secret billing --abort',
  },
  details: `The service cannot change a secret. So wm creates a successor (same URL, scope, events, filters and payload fields) with the new
secret, verifies the receiver, and then suspends the old webhook, or deletes it with --old delete. The label and a stored secret
move to the successor.

The order follows from the service: before it creates a webhook with a secret, it asks the receiver for proof of that secret. So
the receiver must know the new secret first, and it must accept both until the end: while both webhooks deliver, each event
arrives twice, signed with either secret. wm says from when to when.

wm creates the successor once the receiver accepts the new secret. Until then, wm asks again on a terminal; in a script, or with
--yes, it exits with status 10. --prepare stops before the successor is created.

Whatever ends a run, the same command continues it: wm records each step on this machine, checks before it repeats anything, and
stores a generated secret until the end. \`wm webhook list\` shows a rotation that is under way.

The service does not show all settings of a webhook. If this machine has no record of them, wm names the flags that set them.`,
  pipeColumns: webhookColumns,
  arguments: { id: webhookArgument },
  firstFlags: words(
    'secretFile secretStdin generateSecret storeSecret old prepare abort verify within events',
  ),
  flags: {
    ...newSecretFlags,
    old: valueFlag(
      choice('what becomes of the old webhook', ['suspend', 'delete']),
      'ACTION',
      'What to do with the old webhook: suspend or delete (default: suspend)',
    ),
    prepare: booleanFlag(
      'Stop before the successor is created, so that you can give the receiver the secret first',
    ),
    abort: booleanFlag('Delete the successor and leave the old webhook as it was'),
    verify: booleanFlag('Verify the receiver with the new secret (default: yes)', { negatable: true }),
    ...verifyFlags,
    ...settingsFlags,
  },
  async run({ arguments: { id: text }, flags }, context) {
    const { prepare = false, abort = false, verify = true } = flags;
    if (abort && prepare) throw usageError('--abort and --prepare cannot be combined', 'Give one of them.');
    const id = await selectRotation(context, text);
    if (!context.isDryRun) await lockRotation(context, id);
    const records = await context.webhookRecords();
    const local = await records.read();
    if (!abort && (await reportReplaced(context, id, local))) return;
    assertNoSuccessor(context, id, local);
    // A rotation may already have deleted the old webhook: then only its name is known.
    const old =
      local.get(id)?.rotation?.successor === undefined
        ? await readHook(context, id)
        : ((await readHookIfThere(context, id)) ?? namedHook(id, local));
    if (abort) return abortRotation(context, old);
    if (old.raw) await records.observe([old]);

    const rotation = old.local?.rotation;
    const state = {
      settings: await resolveSettings(context, old, flags),
      old: flags.old ?? rotation?.old ?? 'suspend',
      wasActive: rotation?.wasActive ?? old.record.status !== 'Suspended',
    };
    const existing =
      rotation?.successor === undefined ? undefined : await readHookIfThere(context, rotation.successor);
    const plan = { old, state, successor: existing?.record.id };
    if (context.isDryRun) return printPlan(context, plan);

    const again = continueCommand(context, id);
    const secret = await beginRotation(context, plan, flags, again);
    if (prepare) return;
    await completeRotation(context, { old, secret, verify: verify ? flags : undefined, again });
  },
});

/** Reports a rotation that is complete already, so that running the command again is harmless; true if so. */
async function reportReplaced(context: Context, id: string, local: LocalWebhooks): Promise<boolean> {
  const record = local.get(id);
  if (record?.rotation) return false;
  const [byRecord] = [...local].find(([, webhook]) => webhook.replaces?.id === id) ?? [];
  const successor = record?.replacedBy?.id ?? byRecord;
  const read = successor === undefined ? undefined : await readHookIfThere(context, successor);
  if (!read) return false;
  await context.report.info(
    `The secret of ${describeHook(namedHook(id, local))} was rotated: ${successor} has replaced it. Nothing was changed.`,
  );
  if (context.isDryRun) return true;
  await removeLeftovers(context, id, record === undefined);
  await context.report.one(await toReported(context, [read]));
  return true;
}

function assertNoSuccessor(context: Context, id: string, local: LocalWebhooks): void {
  const old = local.get(id)?.replaces?.id;
  if (old === undefined || !local.get(old)?.rotation) return;
  throw usageError(
    `Webhook ${id} is the successor of ${old}, and that rotation is under way`,
    commandHint('To complete it: ', formatCommandWith(context, 'webhook rotate-secret', [old])),
  );
}

async function selectRotation(context: Context, text: string | undefined): Promise<string> {
  if (text === undefined)
    return chooseOneWebhook(context, text, { question: 'Which webhook gets a new secret?' });
  const local = await (await context.webhookRecords()).read();
  const isUnderWay = (id: string) => local.get(id)?.rotation !== undefined;
  const underWay = [...local.keys()].filter(isUnderWay);
  const isId = local.has(text) || isIdShaped(text);
  if (underWay.length === 0 || isId || text.trim() === '') return chooseOneWebhook(context, text);
  const { hooks: listed } = await listHooks(context);
  // The old webhook may be deleted already, and so not be listed.
  const gone = underWay.filter((id) => !listed.some(({ record }) => record.id === id));
  const named = gone.map((id) => namedHook(id, local));
  const matching = matchWebhooks(text, [...listed, ...named], local).hooks.map(
    ({ record: { id } }) => local.get(id)?.replaces?.id ?? id,
  );
  const [first, ...rest] = new Set(matching.filter(isUnderWay));
  return first !== undefined && rest.length === 0 ? first : chooseOneWebhook(context, text);
}
