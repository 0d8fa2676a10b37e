// Verifies receivers before their webhooks are resumed: the service soon suspends a webhook with a broken receiver again.
// Runs several checks at once, within a time limit, since the user waits for this in an incident.

import type { Context } from '#cli/context.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { describeHook, type Hook } from '../records/hook.ts';
import { readGivenSecret, readStoredSecret, type SecretFlags } from '../secrets/find-secret.ts';
import type { CheckResult } from './check-result.ts';
import { unknownSecret } from './handshake-checks.ts';
import { withProgressNotice } from './progress-notice.ts';
import { toTarget, type VerifyOptions } from './receiver-target.ts';
import { withoutRepeats } from './shown-checks.ts';
import { verifyReceiver } from './verify-receiver.ts';

/** How many receivers are verified at the same time. */
const mostAtOnce = 4;
/** No further receiver is verified after this time. */
const mostMs = 120_000;

export interface BeforeResume {
  readonly flags: SecretFlags;
  readonly options: VerifyOptions;
}

/** Warns of each problem and returns true if there is any. The user decides what to do. */
export async function warnBeforeResume(
  context: Context,
  targets: readonly Hook[],
  { flags, options }: BeforeResume,
): Promise<boolean> {
  if (targets.length === 0) return false;
  // Standard input can be read only once.
  const given = await readGivenSecret(context, flags);
  const verify = async (target: Hook): Promise<readonly string[]> => {
    const { id, hookUrl } = target.record;
    if (hookUrl === undefined) return ['not verified: its record could not be read'];
    const secret = given ?? (await readStoredSecret(context, id));
    const checked = toTarget(target, secret?.text);
    const results = await verifyReceiver(context, checked, { ...options, isShort: true });
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
      `Verified ${countReceivers(targets.length)}: ${bad.length === 0 ? 'no problem found' : `${bad.length} with problems`}.`,
    );
  return bad.length > 0;
}

/** In the order of the targets. */
async function verifyAll(
  context: Context,
  targets: readonly Hook[],
  verify: (target: Hook) => Promise<readonly string[]>,
): Promise<ReadonlyMap<Hook, readonly string[]>> {
  const { clock } = context.world;
  const found = new Map<Hook, readonly string[]>();
  const until = clock.monotonic() + mostMs;
  const left = [...targets];
  const work = async () => {
    for (let target = left.shift(); target; target = left.shift())
      found.set(
        target,
        clock.monotonic() < until ? await verify(target) : ['not verified: the others took too long'],
      );
  };
  await withProgressNotice(
    context,
    () => `Verifying ${countReceivers(targets.length)}: ${found.size} done.`,
    () => Promise.all(Array.from({ length: mostAtOnce }, work)),
  );
  return new Map(targets.map((target) => [target, found.get(target) ?? []]));
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

function countReceivers(count: number): string {
  return count === 1 ? '1 receiver' : `${count} receivers`;
}
