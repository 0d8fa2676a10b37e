// Where an application may be sent back to, and the address that carries the outcome there.

import type { Application } from '../store.ts';

const loopbackHosts: readonly string[] = ['127.0.0.1', '[::1]', 'localhost'];

function isLoopbackCallback(text: string): boolean {
  // A parser of URLs passes over line ends and the like, which may not stand in a header.
  if (!/^[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return false;
  const { protocol, hostname, username, password, hash } = new URL(text);
  return (
    protocol === 'http:' &&
    loopbackHosts.includes(hostname) &&
    username === '' &&
    password === '' &&
    hash === ''
  );
}

/** True where it is registered for the application: exactly, or as an address of this machine. */
export function isCallback(application: Application, redirectUri: string): boolean {
  return (
    application.callbacks.includes(redirectUri) || (application.loopback && isLoopbackCallback(redirectUri))
  );
}

/** The callback with more parameters in its query; those that it has stay. */
export function callbackWith(
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
