// Finds what forbids changes: --read-only, WM_READ_ONLY or the profile; none of them lifts another. The session checks every
// request (client/read-only-session.ts); this check ends a command before the first one.

import { type ReadOnlyReason, readOnlyFailure } from '#client/read-only-session.ts';
import { type AccountOptions, selectProfile } from '#login/select-account.ts';
import type { World } from '#world/world.ts';
import { unsetCommand } from './environment-variables.ts';
import type { CommonFlags } from './flags/common-flags.ts';
import { formatCommandWith, withProfile } from './format-command.ts';
import type { Settings } from './settings/settings.ts';

interface ReadOnlyContext {
  readonly world: Pick<World, 'environment' | 'files' | 'process'>;
  readonly common: Pick<CommonFlags, 'readOnly' | 'profile' | 'ca' | 'yes'>;
  readonly settings: Pick<Settings, 'readOnlyOrigin'>;
}

/** Undefined if changes are allowed. `readOnlyProfile`: the profile in use, if it is read-only. */
export function readOnlyReason(
  context: ReadOnlyContext,
  readOnlyProfile: string | undefined,
): ReadOnlyReason | undefined {
  const { world, common, settings } = context;
  if (common.readOnly) return { why: '--read-only was given', hint: 'Run it again without --read-only.' };
  // No flag switches these off for one command: a script or an agent could give it.
  if (world.environment['WM_READ_ONLY'])
    return {
      why: 'WM_READ_ONLY is set, which no flag overrides',
      hint: `To allow changes: ${unsetCommand(world, ['WM_READ_ONLY'])}`,
    };
  if (settings.readOnlyOrigin !== undefined)
    return {
      why: `read-only is true in ${settings.readOnlyOrigin}, which no flag overrides`,
      hint: `To allow changes, remove read-only from ${settings.readOnlyOrigin}`,
    };
  if (readOnlyProfile === undefined) return undefined;
  return {
    why: `the profile ${readOnlyProfile} is read-only, which no flag overrides`,
    hint: `To allow changes: ${formatCommandWith(withProfile(context, readOnlyProfile), 'config set', ['read-only', 'false'])}`,
  };
}

/** @throws {Failure} `read_only` if the flag, the variable or the selected profile forbids changes. */
export async function assertMayChange(
  context: ReadOnlyContext & { readonly account: AccountOptions },
  words: string,
): Promise<void> {
  const { world, account } = context;
  const reason =
    readOnlyReason(context, undefined) ?? readOnlyReason(context, await readOnlyProfile(world, account));
  if (reason) throw readOnlyFailure(`wm ${words} makes changes, so it was not run`, reason);
}

/** Undefined for a token without a profile, or without a sign-in. */
async function readOnlyProfile(
  world: Pick<World, 'files'>,
  account: AccountOptions,
): Promise<string | undefined> {
  if (account.token !== undefined) return undefined;
  const profile = await selectProfile(world, account);
  return profile?.readOnly ? profile.name : undefined;
}
