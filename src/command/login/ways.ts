// The ways to sign in, of which a command line names one, and the flags that belong to each. A flag of another way would
// be ignored, so it is an error.

import { usageError } from '../../failure.ts';
import { kebab } from '../flag.ts';
import { and } from '../missing.ts';
import type { LoginFlags } from './flags.ts';

export type Way = 'browser' | 'token' | 'start' | 'complete';

type Name = keyof LoginFlags;

const choosing = { withToken: 'token', start: 'start', complete: 'complete' } as const satisfies Partial<
  Record<Name, Way>
>;

const ofEach: Readonly<Record<Way, readonly Name[]>> = {
  browser: ['authUrl', 'clientId', 'scope', 'redirectUri', 'port', 'browser', 'allowHost', 'callbackHost'],
  start: ['authUrl', 'clientId', 'scope', 'redirectUri', 'port', 'browser', 'allowHost'],
  complete: [],
  token: ['host'],
};

const reasons: Readonly<Record<Way, string>> = {
  browser:
    '--host goes with --with-token. A sign-in through the browser gets its host from the service; --allow-host allows one.',
  start: 'The first step opens nothing and waits for nothing. Leave them out.',
  complete: 'The settings are those of wm login --start. Leave them out, or start again with them.',
  token: 'A permanent token needs --host and nothing else. Leave them out.',
};

/** Throws a usage failure for flags that exclude each other. */
export function wayOf(given: LoginFlags): Way {
  const names = Object.keys(given) as Name[];
  const chosen = names.filter(
    (name): name is keyof typeof choosing => name in choosing && given[name] === true,
  );
  if (chosen.length > 1)
    throw usageError(`${and(chosen.map(flagOf))} exclude each other`, 'Give one of them.');
  const [first] = chosen;
  const way = first === undefined ? 'browser' : choosing[first];
  const mine = ofEach[way];
  const ofSome = Object.values(ofEach).flat();
  const strange = names.filter(
    (name) => ofSome.includes(name) && given[name] !== undefined && !mine.includes(name),
  );
  if (strange.length > 0) {
    const goal = first === undefined ? 'a sign-in through the browser' : flagOf(first);
    const typed = strange.map((name) => (given[name] === false ? `--no-${kebab(name)}` : flagOf(name)));
    throw usageError(`${and(typed)} cannot be used with ${goal}`, reasons[way]);
  }
  if (way === 'start' && given.browser === true)
    throw usageError('--start and --browser exclude each other', reasons.start);
  if (given.port !== undefined && given.redirectUri !== undefined)
    throw usageError(
      '--port and --redirect-uri exclude each other',
      'The port is a part of the --redirect-uri.',
    );
  return way;
}

function flagOf(name: string): string {
  return `--${kebab(name)}`;
}
