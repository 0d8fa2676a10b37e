// Formats the command that starts a sign-in again, for hints. It names every setting known so far, wherever it came from
// (a flag, a variable, a prompt, the profile), so that it works as printed.

import { type FormatContext, flagWords, formatCommandWith, withProfile } from '#cli/format-command.ts';
import { scopeList } from '#contract/authorization.ts';
import type { Scope } from '#contract/scope.ts';
import type { SignInHints } from '#login/authorization-request.ts';
import { defaultHostSuffixes } from '#login/host.ts';
import type { LoginFlags } from './flags.ts';

interface LoginCommandOptions {
  readonly context: FormatContext;
  readonly authUrl: string;
  readonly clientId: string;
  readonly hostSuffixes: readonly string[];
  readonly scopes?: readonly Scope[] | undefined;
  readonly redirectUri?: string | undefined;
  /** Repeated unchanged. */
  readonly flags: Pick<LoginFlags, 'start' | 'browser' | 'port' | 'callbackHost' | 'store' | 'force'>;
}

export function formatLoginCommand(options: LoginCommandOptions): string {
  const { context, authUrl, clientId, hostSuffixes, scopes, redirectUri, flags } = options;
  const defaults = defaultHostSuffixes(authUrl);
  const hasOwnHosts = hostSuffixes.some((suffix) => !defaults.includes(suffix));
  const words = [
    ...(flags.start ? ['--start'] : []),
    ...(flags.browser === false ? ['--no-browser'] : []),
    ...(flags.force ? ['--force'] : []),
    ...flagWords('--profile', context.common.profile),
    ...flagWords('--auth-url', authUrl),
    ...flagWords('--client-id', clientId),
    ...flagWords('--scope', scopes && scopeList.toWire(scopes)),
    ...flagWords('--redirect-uri', redirectUri),
    ...flagWords('--port', flags.port?.toString()),
    ...flagWords('--callback-host', flags.callbackHost),
    ...flagWords('--store', flags.store),
    ...flagWords('--allow-host', hasOwnHosts ? hostSuffixes.join(',') : undefined),
  ];
  return formatCommandWith(withProfile(context, undefined), 'login', [], ...words);
}

/** `secretFrom`: where the client secret came from, which may be wrong. */
export function createSignInHints(
  options: LoginCommandOptions,
  secretFrom: keyof typeof remedies,
): SignInHints {
  const loginCommand = formatLoginCommand(options);
  const hasDefaultHosts = formatLoginCommand({ ...options, hostSuffixes: [] }) === loginCommand;
  return {
    restartCommand: loginCommand,
    commandAllowingHost: (host) =>
      formatLoginCommand({
        ...options,
        hostSuffixes: hasDefaultHosts ? [host] : [...options.hostSuffixes, host],
      }),
    checkApplicationHint: `Check the client id and the client secret in the service's console. ${remedies[secretFrom]} Then: ${loginCommand}`,
  };
}

const remedies = {
  person: 'wm stored neither; it will prompt for the secret again.',
  variable: 'wm used the secret in WM_CLIENT_SECRET.',
  start: 'wm used the secret given to --start; to use another, set WM_CLIENT_SECRET.',
  store: 'wm used the secret of the last sign-in; to use another, set WM_CLIENT_SECRET.',
} as const;
