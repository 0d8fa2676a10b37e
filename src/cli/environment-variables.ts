// The environment variables of wm, one row each; validation, `wm --help` and a test of docs/environment.md read the rows. An
// empty value is an error: it is usually a secret missing in CI, and ignoring it has created webhooks without a signature.

import { joinWithAnd } from '#contract/format-list.ts';
import { usageError } from '#failure.ts';
import type { Environment, Secrets, World } from '#world/world.ts';
import { agree } from './count-of.ts';

interface Variable {
  /** Shown in help: a fragment without a full stop. */
  readonly meaning: string;
  /** On if it has any value; an empty one is off. */
  readonly isSwitch?: true;
  /** A safety switch: an empty one is an error, since a user who sets it wants it on. */
  readonly mayNotBeEmpty?: true;
  readonly secret?: true;
  /** The value may end with a line break, so it is not trimmed. */
  readonly mayEndWithLineBreak?: true;
}

export const variables: Readonly<Record<string, Variable>> = {
  WM_TOKEN: { meaning: 'A permanent token, used instead of a sign-in', secret: true },
  WM_HOST: { meaning: 'The host of that token' },
  WM_PROFILE: { meaning: 'The profile to use, like --profile' },
  WM_AUTH_URL: { meaning: 'The address to sign in at' },
  WM_CLIENT_ID: { meaning: 'The client id of the application' },
  WM_CLIENT_SECRET: { meaning: 'The client secret of the application', secret: true },
  WM_CALLBACK_PORT: { meaning: 'The port of the loopback callback' },
  WM_TOKEN_STORE: { meaning: 'Where to store tokens: keychain or file' },
  WM_CONFIG_DIR: { meaning: 'The folder for profiles, token files and state', mayEndWithLineBreak: true },
  WM_WEBHOOK_SECRET: { meaning: 'The secret that signs deliveries', secret: true, mayEndWithLineBreak: true },
  WM_SINK_USER: { meaning: 'The NATS user of a sink' },
  WM_SINK_PASSWORD: { meaning: 'The password of that user', secret: true },
  WM_SINK_TOKEN: { meaning: 'The NATS token of a sink', secret: true },
  WM_SINK_NKEY: { meaning: 'The NATS nkey seed of a sink', secret: true },
  WM_EMULATOR_URL: { meaning: 'The emulator that `wm emulator` commands control' },
  WM_PAGER: { meaning: 'The program that shows long tables; overrides PAGER, and cat means none' },
  WM_NO_INPUT: { meaning: 'Never prompt, like --no-input', isSwitch: true },
  WM_READ_ONLY: {
    meaning: 'Send no request to the service that changes anything, like --read-only',
    isSwitch: true,
    mayNotBeEmpty: true,
  },
  WM_DEBUG: { meaning: 'Show the stack trace of an internal error', isSwitch: true },
};

/** Variables of other programs and of the system that affect wm. */
export const otherVariables: readonly string[] =
  `ACCESSIBLE BROWSER PAGER NO_COLOR CLICOLOR_FORCE CI TERM COLUMNS LC_ALL LC_CTYPE LANG
  HTTPS_PROXY HTTP_PROXY NO_PROXY XDG_CONFIG_HOME XDG_STATE_HOME NODE_EXTRA_CA_CERTS`.split(/\s+/);

const lineBreaksAtEnd = /(?<![\r\n])[\r\n]+$/;

/** Trims the final line break of values, as `$(cat FILE)` does. Throws `usage` for an empty one, or a line break that may be intended. */
export function validateVariables(world: World): World {
  const trimmed: Record<string, string> = {};
  const empty: string[] = [];
  for (const [name, { isSwitch, mayEndWithLineBreak, mayNotBeEmpty }] of Object.entries(variables)) {
    const text = world.environment[name];
    if (text === undefined || (isSwitch && !mayNotBeEmpty)) continue;
    const trimmedText = text.replace(lineBreaksAtEnd, '');
    if (trimmedText === '') empty.push(name);
    else if (trimmedText !== text && mayEndWithLineBreak) throw trailingLineBreak(name, world);
    else if (trimmedText !== text) trimmed[name] = trimmedText;
  }
  if (empty.length > 0) throw emptyVariables(empty, world);
  if (Object.keys(trimmed).length === 0) return world;
  return { ...world, environment: { ...world.environment, ...trimmed } };
}

export function trackVariables(secrets: Secrets, environment: Environment): void {
  for (const [name, { secret }] of Object.entries(variables)) {
    const text = secret ? environment[name]?.replace(lineBreaksAtEnd, '') : undefined;
    if (text === undefined) continue;
    if (name === 'WM_TOKEN' || name === 'WM_CLIENT_SECRET') secrets.addCredentials(text);
    else secrets.add(text);
  }
}

function emptyVariables(names: readonly string[], world: Pick<World, 'process'>) {
  return usageError(
    `${joinWithAnd(names)} ${agree(names.length, 'is')} set but empty`,
    `Set ${agree(names.length, 'it')} to a value, or unset ${agree(names.length, 'it')}: ${unsetCommand(world, names)}`,
    'In CI, an undefined secret becomes an empty variable.',
  );
}

function trailingLineBreak(name: string, world: Pick<World, 'process'>) {
  const isWindows = world.process.platform === 'win32';
  const command = isWindows ? `$env:${name} = Get-Content FILE` : `${name}="$(cat FILE)"`;
  return usageError(
    `${name} ends with a line break`,
    `Set it without one: ${command} removes line breaks at the end.`,
    'wm does not remove the line break, because it could be part of the value.',
  );
}

/** The command that unsets variables: PowerShell's on Windows, a POSIX shell's elsewhere. */
export function unsetCommand(world: Pick<World, 'process'>, names: readonly string[]): string {
  if (world.process.platform !== 'win32') return `unset ${names.join(' ')}`;
  return `Remove-Item ${names.map((name) => `Env:${name}`).join(', ')}`;
}

export const unverifiedTlsWarning =
  'NODE_TLS_REJECT_UNAUTHORIZED=0 has no effect: wm always verifies certificates. To trust another certificate: --ca FILE or NODE_EXTRA_CA_CERTS=FILE.';
