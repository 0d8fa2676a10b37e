// Verifies receivers before their webhooks are resumed: the service soon suspends a webhook with a broken receiver again.
// Runs several checks at once, within a time limit, since the user waits for this in an incident.

import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { describeHook, type Hook } from '../records/hook.ts';
import { readSecretInput, readStoredSecret, type SecretFlags } from '../secrets/find-secret.ts';
import type { CheckResult } from './check-result.ts';
import { unknownSecret } from './handshake-checks.ts';
import { withProgressNotice } from './progress-notice.ts';
import { withoutRepeats } from './shown-checks.ts';
import { toTarget, type VerifyOptions } from './verify-flags.ts';
import { verifyReceiver } from './verify-receiver.ts';

const mostAtOnce = 4;
/** No further receiver is verified after this time. */
const maxMs = 120_000;

/** Warns of each problem and returns true if there is any. The user decides what to do. */
export async function warnBeforeResume(
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
  await withProgressNotice(
    context,
    () => `Verifying ${countOf(targets.length, 'receiver')}: ${problems.size} done.`,
    () => Promise.all(Array.from({ length: mostAtOnce }, work)),
  );
  return new Map(targets.map((target) => [target, problems.get(target) ?? []]));
}

/** A skipped check is worth a warning only if the secret would enable it. */
function isWorthAWarning({ outcome, why }: CheckResult): boolean {
  if (outcome === 'not-checked') return why === unknownSecret;
  return outcome !== 'ok';
}

function formatProblem({ check, outcome, why = '', fix }: CheckResult): string {
  const word = outcome === 'fail' ? 'failed' : outcome === 'warning' ? 'warning' : 'not checked';
  return sanitizeLine(`${check} ${word}: ${why}.${fix === undefined ? '' : ` ${fix}`}`);
}
