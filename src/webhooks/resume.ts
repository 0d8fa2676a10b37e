// `wm webhook resume`: resumes suspended webhooks.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { booleanFlag } from '#cli/flags/flag.ts';
import { everyFiveSeconds, startProgress } from '#cli/timed-progress.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { changeStatuses } from './change/change-status.ts';
import { hasFailed, readCommands } from './change/last-command.ts';
import { showMissed } from './change/missed-events.ts';
import { noteOf, webhookColumns } from './columns.ts';
import {
  chooseWebhooks,
  howToName,
  type Selection,
  selectionFlags,
  webhooksArgument,
} from './matching/choose.ts';
import { describeHook, type Hook } from './records/hook.ts';
import { readSecretInput, readStoredSecret, type SecretFlags, secretFlags } from './secrets/find-secret.ts';
import { type CheckResult, withoutRepeats } from './verification/check-result.ts';
import { unknownSecret } from './verification/handshake-checks.ts';
import {
  assertNoVerifyFlags,
  toTarget,
  type VerifyOptions,
  verifyFlags,
} from './verification/verify-flags.ts';
import { verifyReceiver } from './verification/verify-receiver.ts';

export default command({
  sendsRequests: true,
  changes: 'the service',
  examples: {
    'Pick webhooks from a list': 'wm webhook resume',
    'In a script, without a prompt': 'wm webhook resume IEAAAAAQJAAAAAAB --yes',
    'Resume several webhooks': 'wm webhook resume IEAAAAAQJAAAAAAB IEAAAAAQJAAAAAAC --yes',
    'Resume all suspended webhooks of a host, after a confirmation':
      "wm webhook resume --all --status suspended --url 'https://old.example/*'",
  },
  details: `${howToName}

Without an ID, on a terminal, wm lets you pick from the webhooks that are not active: type to filter, press Tab to mark
several. It then asks for confirmation.

wm first verifies the receiver of each suspended webhook, as wm webhook verify does but with fewer samples. If a check fails, this
machine cannot reach the receiver, or the secret is unknown, wm warns and asks for confirmation, once for all; with --yes it
warns and resumes. A secret from a flag or WM_WEBHOOK_SECRET is used for all of them; otherwise each has its stored one (wm
webhook secret). After two minutes wm verifies no further receiver. --no-verify skips the verification.

wm says how many other active webhooks deliver to the same URL; with --same-url it resumes all of that URL. With --all, wm names what
your last wm webhook suspend did not suspend, and asks whether to resume it too; --yes does. See also wm webhook undo.

Events that occurred while a webhook was suspended are never delivered: wm prints since when, if this machine knows, and the
command that lists the tasks changed since. A webhook with a note (\`wm webhook suspend --note\`) always needs a confirmation, which
shows the note; --yes prints it. Then the note is removed, and wm history keeps it.

If one webhook fails, wm still tries the others and exits with status 8. A failure that affects them all, such as an
expired sign-in, ends the command, and wm prints the command that continues with the rest.`,
  pipeColumns: webhookColumns,
  arguments: { id: webhooksArgument },
  firstFlags: ['sameUrl', 'all', 'status', 'url', 'folder', 'event', 'verify', 'secretFile'],
  flags: {
    ...selectionFlags,
    verify: booleanFlag('Verify the receivers first (default: yes)', { negatable: true }),
    ...secretFlags,
    ...verifyFlags,
  },
  run: async ({ arguments: { id }, flags }, context) => {
    const { verify = true, secretFile, secretStdin, within, allowPrivate, connectTo, ...selection } = flags;
    assertNoVerifyFlags(flags, { ...secretFlags, ...verifyFlags });
    const chosen = await chooseWebhooks(context, id, selection, 'Active');
    await changeStatuses(context, flags.all ? await setApart(context, chosen) : chosen, {
      to: 'Active',
      ...(verify && { check: (hooks) => warnBeforeResume(context, hooks, flags) }),
      conclude: (resumed) => showMissed(context, resumed),
    });
  },
});

/** Leaves out what the last suspension from this machine did not suspend, unless the user wants it too. */
async function setApart(context: Context, chosen: Selection): Promise<Selection> {
  const findCommand = await readCommands(context);
  const last = findCommand((entry) => {
    const { before, after } = entry.begun.webhook ?? {};
    // A label or a note of a suspended webhook does not suspend it.
    return after?.status === 'Suspended' && before?.status !== 'Suspended' && !hasFailed(entry);
  });
  const isOwn = ({ record }: Hook) => last?.changes.has(record.id) === true;
  const apart = chosen.hooks.filter((hook) => hook.record.status !== 'Active' && !isOwn(hook));
  if (apart.length === 0 || !chosen.hooks.some(isOwn) || context.isDryRun) return chosen;
  await context.report.warn(`Not suspended by your last command (${last?.name}):`);
  for (const hook of apart)
    await context.report.warn(
      sanitizeLine(`  ${[describeHook(hook), noteOf(hook)].filter(Boolean).join(': ')}`),
    );
  if (context.common.yes || !context.canPrompt) return chosen;
  const question = `Resume ${apart.length === 1 ? 'it' : `these ${apart.length}`} too?`;
  const isPicked = await context.prompt('--yes', (prompt) => prompt.confirm(question));
  return isPicked ? chosen : { ...chosen, hooks: chosen.hooks.filter((hook) => !apart.includes(hook)) };
}

const mostAtOnce = 4;
/** No further receiver is verified after this time. */
const maxMs = 120_000;

/** Warns of each problem and returns true if there is any. The user decides what to do. */
async function warnBeforeResume(
  context: Context,
  targets: readonly Hook[],
  flags: SecretFlags & VerifyOptions,
): Promise<boolean> {
  if (targets.length === 0) return false;
  // Standard input can be read only once.
  const input = await readSecretInput(context, flags);
  const verify = async (target: Hook): Promise<readonly string[]> => {
    const { id, hookUrl } = target.record;
    if (hookUrl === undefined) return ['not verified: its record could not be read'];
    const secret = input ?? (await readStoredSecret(context, id));
    const checked = toTarget(target, secret?.text);
    const results = await verifyReceiver(context, checked, { ...flags, isShort: true });
    return withoutRepeats(results).filter(isWorthAWarning).map(formatProblem);
  };
  const problems = await verifyAll(context, targets, verify);
  const bad = [...problems].filter(([, lines]) => lines.length > 0);
  for (const [target, lines] of bad) {
    const shown = [`Receiver of ${describeHook(target)}:`, ...lines.map((line) => `  ${line}`)];
    await context.report.warn(shown.join('\n'));
  }
  if (bad.length === 0 || targets.length > 1)
    await context.report.info(
      `Verified ${countOf(targets.length, 'receiver')}: ${bad.length === 0 ? 'no problem found' : `${bad.length} with problems`}.`,
    );
  return bad.length > 0;
}

async function verifyAll(
  context: Context,
  targets: readonly Hook[],
  verify: (target: Hook) => Promise<readonly string[]>,
): Promise<ReadonlyMap<Hook, readonly string[]>> {
  const { clock } = context.world;
  const problems = new Map<Hook, readonly string[]>();
  const until = clock.monotonic() + maxMs;
  const queue = [...targets];
  const work = async () => {
    for (let target = queue.shift(); target; target = queue.shift())
      problems.set(
        target,
        clock.monotonic() < until ? await verify(target) : ['not verified: the others took too long'],
      );
  };
  const describe = () => `Verifying ${countOf(targets.length, 'receiver')}: ${problems.size} done.`;
  const endProgress = startProgress(context, describe, everyFiveSeconds);
  await Promise.all(Array.from({ length: mostAtOnce }, work)).finally(endProgress);
  return new Map(targets.map((target) => [target, problems.get(target) ?? []]));
}

/** A skipped check is worth a warning only if the secret would enable it. */
function isWorthAWarning({ outcome, why }: CheckResult): boolean {
  return outcome === 'not-checked' ? why === unknownSecret : outcome !== 'ok';
}

function formatProblem({ check, outcome, why = '', fix }: CheckResult): string {
  const word = outcome === 'fail' ? 'failed' : outcome === 'warning' ? 'warning' : 'not checked';
  return sanitizeLine(`${check} ${word}: ${why}.${fix === undefined ? '' : ` ${fix}`}`);
}
