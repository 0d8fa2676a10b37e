// Checks the URL of a webhook before it is sent.

import type { Context } from '#cli/context.ts';
import { validateHookUrl } from '#contract/hook-url.ts';
import { ValidationError } from '#contract/schema.ts';
import { usageError } from '#failure.ts';
import { isLoopbackHost } from '#login/host.ts';
import { findBaseUrl } from '#login/select-account.ts';

/** True for the emulator, or another service on this machine, which may be configured to deliver to this machine. */
export async function isAccountLocal(context: Pick<Context, 'world' | 'account'>): Promise<boolean> {
  const base = await findBaseUrl(context.world, context.account);
  return base !== undefined && isLoopbackHost(new URL(base).host);
}

/** Applies the contract's rule, but accepts more for a service on this machine, which may be configured to do so too. */
export async function checkHookUrl(context: Context, url: string, name: string): Promise<void> {
  try {
    validateHookUrl(url);
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    if (/^https?:/i.test(url) && (await isAccountLocal(context))) {
      const accepted =
        URL.canParse(url) && isLoopbackHost(new URL(url).host)
          ? 'accepts it only if it was started with --allow-local-hooks'
          : 'may accept it anyway';
      await context.report.info(`The ${name} ${error.message}; the emulator ${accepted}.`);
      return;
    }
    throw usageError(
      `${name}: ${error.message}`,
      'It must be an http or https URL of the public network, on port 80 or 443.',
    );
  }
}
