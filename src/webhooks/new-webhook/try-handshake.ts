// Tries the handshake before the service does, since the service does not say why it failed. An unreachable receiver is only a
// warning: the service may reach it.

import type { Context } from '#cli/context.ts';
import { everyFiveSeconds, startProgress } from '#cli/timed-progress.ts';
import type { CheckResult } from '../verification/check-result.ts';
import type { VerifyOptions } from '../verification/verify-flags.ts';
import { verifyReceiver } from '../verification/verify-receiver.ts';

/** For signed webhooks only. Throws a usage failure if the response is wrong and the user does not confirm. */
export async function tryHandshake(
  context: Context,
  { url, secret }: { readonly url: string; readonly secret: string | undefined },
  options: VerifyOptions,
): Promise<void> {
  const { report } = context;
  if (secret === undefined || context.isDryRun) return;
  const waiting = `Trying the handshake with ${url}. Still waiting (--within limits each response).`;
  const endProgress = startProgress(context, () => waiting, everyFiveSeconds);
  const verified = verifyReceiver(context, { url, secret }, { ...options, isHandshakeOnly: true });
  const results = await verified.finally(endProgress);
  const failed = results.filter(({ outcome }) => outcome === 'fail');
  const wrong = failed.find(({ check }) => check === 'handshake' || check === 'redirect');
  // Problems of the URL were reported before.
  const obstacle = failed.find(({ check }) => check !== 'url');
  if (wrong) {
    await report.warn(`The handshake with ${url} failed: ${explain(wrong)}`);
    await context.confirm('Create the webhook anyway?');
  } else if (obstacle)
    await report.warn(
      `Cannot try the handshake with ${url} from here: ${explain(obstacle)}\nThe service will try it now.`,
    );
}

function explain({ why = '', fix }: CheckResult): string {
  return `${why}.${fix === undefined ? '' : `\n${fix}`}`;
}
