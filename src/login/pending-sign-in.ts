// A sign-in in two steps: `wm login --start` prints the URL of the consent page, and stores in the token store what
// `wm login --complete` needs. It can be completed once, within ten minutes. See docs/decisions/two-step-sign-in.md.

import { scopeList } from '#contract/authorization.ts';
import { parseJsonIfValid } from '#contract/json.ts';
import { limit } from '#contract/limit.ts';
import * as s from '#contract/schema.ts';
import { Failure, usageError } from '#failure.ts';
import type { World } from '#world/world.ts';
import { withProfileLock } from './profile.ts';
import type { TokenStore } from './token-store.ts';

/** Everything that completing it needs, except the URL that the browser landed on. */
const pendingSignIn = s.object('pending sign-in', {
  state: s.text('state'),
  redirectUri: s.text('URI'),
  /** True if the user gave the redirect URI; the profile then remembers it. */
  isRegistered: s.boolean,
  authUrl: s.text('URL'),
  clientId: s.text('id'),
  clientSecret: s.text('secret'),
  scopes: s.optional(scopeList),
  hostSuffixes: s.list(s.text('suffix')),
  /** Milliseconds since 1970. */
  expiresAt: s.number('milliseconds'),
});

export type PendingSignIn = s.TypeOf<typeof pendingSignIn>;

/** How long a started sign-in can be completed. Contract: Limits, authorization code lifetime. */
export const pendingSignInMs = limit.authorizationCodeSeconds * 1000;

type PendingWorld = Pick<World, 'files' | 'lock' | 'clock'>;
type ReadingWorld = PendingWorld & Pick<World, 'secrets'>;

/** Leaves it in the store, unless it has expired: `sign_in_needed`. Throws `usage` if there is none. `start`: the command for a new one. */
export async function readPendingSignIn(
  world: ReadingWorld,
  store: TokenStore,
  profile: string,
  start: string,
): Promise<PendingSignIn> {
  const text = await store.pending.read(profile);
  if (text === undefined)
    throw usageError(
      `No sign-in was started for the profile ${profile}`,
      `Start one: ${start}\nIf you started it for another profile: wm login --complete --profile NAME`,
    );
  const pending = parsePendingSignIn(text);
  world.secrets.add(pending?.state);
  world.secrets.addCredentials(pending?.clientSecret);
  if (pending && world.clock.now() < pending.expiresAt) return pending;
  await withProfileLock(world, profile, async () => {
    // Another process may have replaced it meanwhile.
    if ((await store.pending.read(profile)) === text) await store.pending.remove(profile);
  });
  throw new Failure('sign_in_needed', {
    message: pending ? 'The started sign-in has expired' : `Cannot read the started sign-in in ${store.name}`,
    why: pending && `it had to be completed by ${new Date(pending.expiresAt).toISOString()}`,
    hint: `Start again: ${start}`,
  });
}

/** Then no other process completes it. @throws {Failure} `usage` if another process has completed or replaced it. */
export async function claimPendingSignIn(
  world: PendingWorld,
  store: TokenStore,
  profile: string,
  { state }: PendingSignIn,
  start: string,
): Promise<void> {
  await withProfileLock(world, profile, async () => {
    const text = await store.pending.read(profile);
    const current = text === undefined ? undefined : parsePendingSignIn(text);
    if (current?.state === state) {
      await store.pending.remove(profile);
      return;
    }
    throw current
      ? usageError(
          'Another sign-in was started in the meantime',
          'Run the same command with the URL that the later sign-in led to.',
        )
      : usageError('This sign-in was completed in the meantime', `Start again: ${start}`);
  });
}

/** Undefined for a text that `wm login --start` did not write. */
function parsePendingSignIn(json: string): PendingSignIn | undefined {
  return s.unlessInvalid(() => pendingSignIn.validate(parseJsonIfValid(json)));
}
