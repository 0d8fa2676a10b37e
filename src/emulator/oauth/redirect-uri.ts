// Where an application may be sent back to, and the address that carries the outcome there.

import type { Application } from '../state/store.ts';

/**
 * An http address of this machine in the one form that every parser reads alike: in what is looser, WHATWG and RFC 3986
 * disagree about where the host ends (`http://127.0.0.1:80\@evil.example/`), what it is called (`127.1`, `%6cocalhost`) or
 * which characters count (a tab). An @ needs its percent-encoding, since some look for it everywhere.
 * @see [RFC 3986 §3], [WHATWG URL §4.4]
 */
const loopbackRedirectUri = new RegExp(
  '^http://(?:127\\.0\\.0\\.1|\\[::1\\]|localhost)(?::([1-9][0-9]{0,4}))?' +
    "(?:/(?:[A-Za-z0-9\\-._~!$&'()*+,;=:/]|%[0-9A-Fa-f]{2})*)?" +
    "(?:\\?(?:[A-Za-z0-9\\-._~!$&'()*+,;=:/?]|%[0-9A-Fa-f]{2})*)?$",
);

function isLoopbackRedirectUri(text: string): boolean {
  const found = loopbackRedirectUri.exec(text);
  return found !== null && Number(found[1] ?? 80) <= 65_535;
}

/** True where it is registered for the application: exactly, or as an address of this machine. */
export function isRegisteredRedirectUri(application: Application, redirectUri: string): boolean {
  return (
    application.callbacks.includes(redirectUri) ||
    (application.loopback && isLoopbackRedirectUri(redirectUri))
  );
}

/** The callback with more parameters in its query; those that it has stay. */
export function withParameters(
  redirectUri: string,
  parameters: Readonly<Record<string, string | undefined>>,
): string {
  const query = Object.entries(parameters)
    .filter((pair): pair is [string, string] => pair[1] !== undefined)
    .map(([name, value]) => `${name}=${encodeURIComponent(value)}`)
    .join('&');
  if (redirectUri.endsWith('?')) return redirectUri + query;
  return `${redirectUri}${redirectUri.includes('?') ? '&' : '?'}${query}`;
}
