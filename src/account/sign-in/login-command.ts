// Formats the command that starts a sign-in again, for hints. It names every setting known so far, wherever it came from
// (a flag, a variable, a prompt, the profile), so that it works as printed.

import { type FormatContext, flagWords, formatCommandWith, withProfile } from '#cli/format-command.ts';
import { scopeList } from '#contract/authorization.ts';
import type { Scope } from '#contract/scope.ts';
import type { SignInHints } from '#login/authorization-request.ts';
import { defaultHostSuffixes } from '#login/host.ts';
import type { StoreKind } from '#login/token-store.ts';

export interface LoginCommandOptions {
  readonly context: FormatContext;
  /** True for the first of two steps. */
  readonly start: boolean;
  readonly authUrl: string;
  readonly clientId: string;
  readonly hostSuffixes: readonly string[];
  readonly scopes: readonly Scope[] | undefined;
  readonly redirectUri: string | undefined;
  readonly port?: number | undefined;
  readonly callbackHost?: string | undefined;
  readonly noBrowser?: boolean;
  readonly store: StoreKind | undefined;
  /** As it was given: the token of the environment is still there. */
  readonly force: boolean | undefined;
}

export function formatLoginCommand(line: LoginCommandOptions): string {
  const usual = defaultHostSuffixes(line.authUrl);
  const suffixes = line.hostSuffixes.filter((one) => !usual.includes(one));
  const flags: readonly (readonly [string, string | number | undefined])[] = [
    // As it was named on the command line.
    ['--profile', line.context.common.profile],
    ['--auth-url', line.authUrl],
    ['--client-id', line.clientId],
    ['--scope', line.scopes && scopeList.toWire(line.scopes)],
    ['--redirect-uri', line.redirectUri],
    ['--port', line.port],
    ['--callback-host', line.callbackHost],
    ['--store', line.store],
    ['--allow-host', suffixes.length > 0 ? line.hostSuffixes.join(',') : undefined],
  ];
  const switches = [
    ...(line.start ? ['--start'] : []),
    ...(line.noBrowser ? ['--no-browser'] : []),
    ...(line.force ? ['--force'] : []),
  ];
  const values = flags.flatMap(([flag, value]) => flagWords(flag, value?.toString()));
  return formatCommandWith(withProfile(line.context, undefined), 'login', [], ...switches, ...values);
}

/** `secretFrom`: who gave the client secret that may be wrong. */
export function createSignInHelp(line: LoginCommandOptions, secretFrom: keyof typeof remedies): SignInHints {
  const again = formatLoginCommand(line);
  const isUsual = formatLoginCommand({ ...line, hostSuffixes: [] }) === again;
  return {
    restartCommand: again,
    commandAllowingHost: (host) =>
      formatLoginCommand({ ...line, hostSuffixes: isUsual ? [host] : [...line.hostSuffixes, host] }),
    checkApplicationHint: `Check the client id and the client secret in the service's console. ${remedies[secretFrom]} Then: ${again}`,
  };
}

const remedies = {
  person: 'wm stored neither; it will prompt for the secret again.',
  variable: 'wm used the secret in WM_CLIENT_SECRET.',
  start: 'wm used the secret given to --start; to use another, set WM_CLIENT_SECRET.',
  store: 'wm used the secret of the last sign-in; to use another, set WM_CLIENT_SECRET.',
} as const;
