// Signs in through the browser in one step: what the user sees, and how the callback URL comes back.

import type { Context } from '#cli/context.ts';
import { withStandardInput } from '#cli/shell-quote.ts';
import { type Failure, usageError } from '#failure.ts';
import { assertReachable } from '#login/reachability.ts';
import { type SignInUi, signIn, signInTimeoutMs } from '#login/sign-in.ts';
import {
  cannotReadCallbackUrl,
  canReadCallbackUrl,
  endedWithoutCallbackUrl,
  readCallbackUrl,
  troubleshootingAfterMs,
} from './callback-url.ts';
import { finishSignIn } from './finish-sign-in.ts';
import type { LoginFlags } from './flags.ts';
import { clientSecretQuestion, gatherSettings, type SignInPlan } from './settings.ts';

export async function signInThroughBrowser(context: Context, name: string, flags: LoginFlags) {
  if (context.whyNoInput !== '' && flags.browser !== false) throw cannotWaitFailure(context);
  const { world, timeoutMs } = context;
  const plan = await gatherSettings(context, name, flags);
  const { callbackAddress } = plan;
  if (!callbackAddress && !canReadCallbackUrl(context))
    throw cannotReadCallbackUrl(
      context,
      'Pipe it into the same command, or sign in in two steps: wm login --start',
    );
  await assertReachable(world, plan.authUrl, timeoutMs);
  if (callbackAddress && flags.callbackHost !== undefined)
    await context.report.warn(
      `The callback listens at ${flags.callbackHost}, port ${callbackAddress.port}: other machines can reach it until the sign-in ends.`,
    );
  const options = { ...plan, openBrowser: flags.browser !== false, timeoutMs };
  return finishSignIn(context, plan, await signIn(world, options, createSignInReporter(context, plan)));
}

function cannotWaitFailure({ whyNoInput, world }: Context) {
  return usageError(
    'Cannot sign in through the browser without a user',
    `With a permanent token: ${withStandardInput('wm login --with-token --host api.example.com', 'token.txt', world)}
Without a sign-in: set WM_TOKEN and WM_HOST.
In two steps: wm login --start prints the address to open; wm login --complete reads the address you land on.
To wait here until someone opens the address: wm login --no-browser`,
    whyNoInput,
  );
}

function createSignInReporter(context: Context, { hints, callbackAddress }: SignInPlan): SignInUi {
  const { report, canPrompt } = context;
  let readsInput = canPrompt;
  let troubleshooting: string | undefined;
  return {
    trace: report.trace,
    ...(canPrompt && {
      async promptForSecret(rejection: Failure) {
        await report.warn(rejection.sentence);
        return context.prompt('WM_CLIENT_SECRET', (prompt) => prompt.secret(clientSecretQuestion));
      },
    }),
    async showUrl(url, opened, waitsForPaste) {
      // Standard input may be meant for other commands, so read it only if the URL may have no other way here.
      readsInput = canReadCallbackUrl(context) && (canPrompt || !opened || waitsForPaste);
      await report.warn(
        opened
          ? 'Opening the browser. If nothing happens, open this address:'
          : 'Open this address in a browser:',
      );
      await report.warn(`\n  ${url}\n`);
      const minutes = Math.round(signInTimeoutMs / 60_000);
      if (!waitsForPaste) {
        const callback = new URL(url).searchParams.get('redirect_uri');
        troubleshooting = `If the service rejects the callback URL ${callback}, register it with the application (--port fixes the port), or give the registered URL with --redirect-uri.`;
        await report.info(`Waiting up to ${minutes} minutes for you to press Allow.`);
      }
      if (readsInput && !canPrompt)
        await report.info(
          `${waitsForPaste ? `Waiting up to ${minutes} minutes` : 'Also waiting'} for the address you land on, on standard input.`,
        );
    },
    async promptForUrl(parse, signal) {
      const onlyPaste = callbackAddress === undefined;
      if (!canPrompt && troubleshooting !== undefined) {
        const text = troubleshooting;
        const cancel = context.world.clock.after(troubleshootingAfterMs, () => void report.info(text));
        signal.addEventListener('abort', cancel);
      }
      if (!readsInput) return untilAborted(signal);
      const question = onlyPaste
        ? 'Press Allow there, then paste the address you land on (its page may show an error):'
        : 'Press Allow there, or paste the address you landed on:';
      const response = await readCallbackUrl(context, { question, parse, signal, troubleshooting });
      if (response !== undefined) return response;
      if (onlyPaste && !signal.aborted) throw endedWithoutCallbackUrl(hints.restartCommand);
      // The callback may still come: a service is started with an empty standard input.
      return untilAborted(signal);
    },
  };
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const end = () => reject(new Error('ended'));
    if (signal.aborted) end();
    signal.addEventListener('abort', end, { once: true });
  });
}
