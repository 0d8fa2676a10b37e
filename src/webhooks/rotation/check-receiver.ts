// Checks that the receiver accepts the new secret. The service requires it before it creates the successor, and deliveries
// must be accepted too before the old webhook stops.

import type { Context } from '#cli/context.ts';
import { Failure } from '#failure.ts';
import type { CheckResult } from '../verification/check-result.ts';
import type { VerifyOptions, VerifyTarget } from '../verification/verify-flags.ts';
import { verifyReceiver } from '../verification/verify-receiver.ts';

export const acceptBoth =
  'Let the receiver accept deliveries that are signed with either secret, the old or the new one, until the rotation has ended.';

export interface ReceiverCheck {
  readonly target: VerifyTarget;
  readonly options: VerifyOptions;
  /** For the error: `no successor was created`. */
  readonly progress: string;
  readonly again: string;
}

/** Returns once no check fails; on a terminal the user says when to check again. */
export async function requireAccepting(
  context: Context,
  { target, options, progress, again }: ReceiverCheck,
): Promise<void> {
  const { canPrompt, common, report } = context;
  for (;;) {
    const bad = (await verifyReceiver(context, target, options)).filter(({ outcome }) => outcome === 'fail');
    const [first] = bad;
    if (first === undefined) return;
    const failure = new Failure('check_failed', {
      message: `The receiver does not accept the new secret: ${bad.map(({ check }) => check).join(', ')}`,
      why: [first.why, progress].filter(Boolean).join('; '),
      hint: [
        ...(first.fix === undefined ? [] : [first.fix]),
        acceptBoth,
        `Then continue: ${again}`,
        'If the receiver cannot be checked from here, add --no-verify.',
      ].join('\n'),
    });
    if (common.yes || !canPrompt) throw failure;
    for (const result of bad) await report.warn(formatProblem(result));
    await report.warn(acceptBoth);
    const isReady = await context.prompt('--yes', (prompt) => prompt.confirm('Check the receiver again?'));
    if (!isReady) throw failure;
  }
}

function formatProblem({ check, why = '', fix }: CheckResult): string {
  return `  ${check}: ${why}.${fix === undefined ? '' : ` ${fix}`}`;
}
