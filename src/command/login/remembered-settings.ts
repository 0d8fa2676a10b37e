// What the last sign-in of the profile requested, for signing in again without the flags. A remembered setting applies
// only where it was given: a host to the same authorization URL, scopes to the same application too.

import { scopeList } from '../../contract/authorization.ts';
import type { Scope } from '../../contract/scope.ts';
import { defaultHostSuffixes } from '../../login/host.ts';
import type { Profile } from '../../login/profile.ts';
import type { StoredSetting } from '../settings/settings.ts';
import type { LoginFlags } from './flags.ts';

export interface RememberedSettings {
  readonly hostSuffixes: readonly string[];
  readonly scopes: readonly Scope[] | undefined;
  readonly redirectUri: string | undefined;
  /** What holds or does not though nobody has said so now, for the person to see. */
  readonly remarks: readonly string[];
}

export function resolveRememberedSettings(
  given: LoginFlags,
  before: Profile | undefined,
  now: { readonly authUrl: string; readonly clientId: string },
  configuredHosts: StoredSetting<readonly string[]> | undefined,
): RememberedSettings {
  const usual = configuredHosts?.value ?? defaultHostSuffixes(now.authUrl);
  const isConfigured = given.allowHost !== undefined || configuredHosts?.from === 'profile';
  const hosts = isConfigured ? undefined : allowedHostsBefore(before);
  const scopes = given.scope || !before?.scopes ? undefined : scopeList.validate(before.scopes);
  const sameAddress = before?.authUrl === now.authUrl;
  const sameApplication = sameAddress && before?.clientId === now.clientId;
  const hostsHold = sameAddress ? hosts : undefined;
  const scopesHold = sameApplication ? scopes : undefined;
  const redirectUri = given.redirectUri ?? before?.redirectUri;
  const redirectHolds = given.redirectUri !== undefined || sameAddress;
  const lost = [
    ...(hosts && !hostsHold ? [`--allow-host ${hosts.join(',')}`] : []),
    ...(redirectUri && !redirectHolds ? [`--redirect-uri ${redirectUri}`] : []),
    ...(scopes && !scopesHold ? [`--scope ${scopeList.toWire(scopes)}`] : []),
  ];
  const wasFor = sameAddress ? `the application ${before?.clientId}` : `${before?.authUrl}`;
  return {
    hostSuffixes: given.allowHost ?? hostsHold ?? usual,
    scopes: given.scope ?? scopesHold,
    redirectUri: redirectHolds ? redirectUri : undefined,
    remarks: [
      ...(hostsHold
        ? [`As before, the sign-in may lead to ${hostsHold.join(', ')}. To change that: --allow-host`]
        : []),
      ...(scopesHold
        ? [`As before, wm requests these scopes: ${scopesHold.join(', ')}. To change that: --scope`]
        : []),
      ...(lost.length > 0
        ? [`Not reused, because the last sign-in was for ${wasFor}: ${lost.join(', ')}`]
        : []),
    ],
  };
}

/** Nothing where it was what follows from the address: then that is followed anew. */
function allowedHostsBefore(before: Profile | undefined): readonly string[] | undefined {
  if (before?.authUrl === undefined) return undefined;
  const usual = defaultHostSuffixes(before.authUrl);
  const { hostSuffixes } = before;
  const same = hostSuffixes.length === usual.length && hostSuffixes.every((one) => usual.includes(one));
  return same ? undefined : hostSuffixes;
}
