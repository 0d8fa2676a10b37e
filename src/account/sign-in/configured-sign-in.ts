// Reads the settings for signing in to a profile. Hosts and a client id count only for the address they are set with: otherwise
// the tokens of one service could go to a host that was allowed for another.

import type { Settings, StoredSetting } from '#cli/settings/load-settings.ts';

/** The setting of the profile `name`, or else of all profiles. */
export function configuredSignIn(settings: Settings, name: string) {
  const authUrl = settings.find('auth-url', name);
  return {
    authUrl,
    /** For a sign-in at this address; `undefined` if the address is not known yet. */
    forAddress(address: string | undefined) {
      const isElsewhere = authUrl !== undefined && authUrl.value !== address;
      return {
        clientId: isElsewhere ? undefined : settings.find('client-id', name),
        hostSuffixes: isElsewhere ? undefined : settings.find('host-suffixes', name),
      };
    },
  };
}

/** A profile's own setting takes precedence over what its last sign-in used, and that over the setting for all profiles. */
export function orRemembered<T>(stored: StoredSetting<T> | undefined, remembered: T | undefined) {
  return stored?.from === 'profile' ? stored.value : (remembered ?? stored?.value);
}
