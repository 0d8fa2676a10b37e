// The sign-in methods, and the flags that belong to each. A flag of another method would be ignored, so it is an error.

import { joinWithAnd } from '../../contract/format-list.ts';
import { usageError } from '../../failure.ts';
import { toKebabCase } from '../flag.ts';
import type { LoginFlags } from './flags.ts';

export type SignInMethod = 'browser' | 'token' | 'start' | 'complete';

type Name = keyof LoginFlags;

const methodFlags = { withToken: 'token', start: 'start', complete: 'complete' } as const satisfies Partial<
  Record<Name, SignInMethod>
>;

const flagsOfMethod: Readonly<Record<SignInMethod, readonly Name[]>> = {
  browser: ['authUrl', 'clientId', 'scope', 'redirectUri', 'port', 'browser', 'allowHost', 'callbackHost'],
  start: ['authUrl', 'clientId', 'scope', 'redirectUri', 'port', 'browser', 'allowHost'],
  complete: [],
  token: ['host'],
};

const reasons: Readonly<Record<SignInMethod, string>> = {
  browser:
    '--host needs --with-token. A sign-in through the browser gets its host from the service; --allow-host allows another one.',
  start: 'The first step only prints an address. Leave these flags out.',
  complete: 'The settings come from wm login --start. Leave these flags out, or start again with them.',
  token: 'A permanent token needs only --host. Leave these flags out.',
};

/** Throws a usage failure for flags that cannot be combined. */
export function chooseSignInMethod(given: LoginFlags): SignInMethod {
  const names = Object.keys(given) as Name[];
  const chosen = names.filter(
    (name): name is keyof typeof methodFlags => name in methodFlags && given[name] === true,
  );
  if (chosen.length > 1)
    throw usageError(`${joinWithAnd(chosen.map(formatFlag))} cannot be combined`, 'Give one of them.');
  const [first] = chosen;
  const way = first === undefined ? 'browser' : methodFlags[first];
  const mine = flagsOfMethod[way];
  const ofSome = Object.values(flagsOfMethod).flat();
  const foreignFlags = names.filter(
    (name) => ofSome.includes(name) && given[name] !== undefined && !mine.includes(name),
  );
  if (foreignFlags.length > 0) {
    const goal = first === undefined ? 'a sign-in through the browser' : formatFlag(first);
    const typed = foreignFlags.map((name) =>
      given[name] === false ? `--no-${toKebabCase(name)}` : formatFlag(name),
    );
    throw usageError(`${joinWithAnd(typed)} cannot be used with ${goal}`, reasons[way]);
  }
  if (way === 'start' && given.browser === true)
    throw usageError('--start and --browser cannot be combined', reasons.start);
  if (given.port !== undefined && given.redirectUri !== undefined)
    throw usageError(
      '--port and --redirect-uri cannot be combined',
      '--redirect-uri already contains the port.',
    );
  return way;
}

function formatFlag(name: string): string {
  return `--${toKebabCase(name)}`;
}
