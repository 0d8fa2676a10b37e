// Checks that the receiver accepts the new secret. The service requires it before it creates the successor, and deliveries
// must be accepted too before the old webhook stops.

import type { Context } from '#cli/context.ts';
import { Failure } from '#failure.ts';
import { preventsDelivery } from '../verification/handshake-checks.ts';
import type { VerifyTarget } from '../verification/verify-flags.ts';
import { verifyReceiver } from '../verification/verify-receiver.ts';
import { acceptBoth, type Rotation } from './rotation.ts';

/** Returns once no check fails; on a terminal the user says when to check again. `progress`: `no successor was created`. */
export async function requireAccepting(
  context: Context,
  { secret, verify, again }: Rotation,
  target: Pick<VerifyTarget, 'url' | 'webhookId' | 'events'>,
  progress: string,
  isShort: boolean,
): Promise<void> {
  if (!verify) return;
  const { canPrompt, common, report } = context;
  for (;;) {
    const signed = { ...target, secret, isSigned: true };
    const results = await verifyReceiver(context, signed, { ...verify, isShort });
    const bad = results.filter(preventsDelivery);
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
    for (const { check, why = '', fix } of bad)
      await report.warn(`  ${check}: ${why}.${fix === undefined ? '' : ` ${fix}`}`);
    await report.warn(acceptBoth);
    const isReady = await context.prompt('--yes', (prompt) => prompt.confirm('Check the receiver again?'));
    if (!isReady) throw failure;
  }
}
