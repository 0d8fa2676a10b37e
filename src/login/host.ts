// Hosts: which text is one, which address it stands for, and which of them a sign-in may lead to. A token response names
// the host that later gets the tokens, so what it says is checked before anything is sent there.

import { apiPath, token } from '../contract/authorization.ts';
import { usageError } from '../failure.ts';

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** Its last label is no number, not even 0x7f: the parser of URLs would take the whole for an IPv4 address. */
const hostNamePattern = new RegExp(`^(?=.{1,253}$)(?:${label}\\.)+(?!(?:\\d+|0x[\\da-f]*)$)${label}$`, 'i');
const loopbackPattern = /^(?:127\.0\.0\.1|\[::1\]|localhost):(\d{1,5})$/;

/**
 * A literal loopback host with a port, which alone means plain http: that is how the emulator is reached. Over https it
 * has its scheme before it, so that no two things are written alike.
 */
export function isLoopbackHost(host: string): boolean {
  const port = Number(loopbackPattern.exec(host)?.[1]);
  return port >= 1 && port <= 65_535;
}

/** A name with a dot in it, as the hosts of a service have: no address, no port. */
export function isHostName(host: string): boolean {
  return hostNamePattern.test(host);
}

const secureScheme = 'https://';

/** `https://127.0.0.1:4010`. */
function isSecureLoopback(host: string): boolean {
  return host.startsWith(secureScheme) && isLoopbackHost(host.slice(secureScheme.length));
}

/** A host as it is kept: loopback that was named by an authorization address on https is reached over https too. */
export function withSchemeOf(authUrl: string | undefined, host: string): string {
  if (authUrl === undefined || !isLoopbackHost(host) || !URL.canParse(authUrl)) return host;
  return isSecureLoopback(new URL(authUrl).origin) ? secureScheme + host : host;
}

/** A host name without port, path or anything else; loopback with a port; or the same with https:// before it. */
export function isHost(host: string): boolean {
  return hostNamePattern.test(host) || isLoopbackHost(host) || isSecureLoopback(host);
}

/** `https://host`, or http for loopback that does not say otherwise. */
export function hostOrigin(host: string): string {
  if (isSecureLoopback(host)) return host;
  return `${isLoopbackHost(host) ? 'http' : 'https'}://${host}`;
}

export function apiBaseUrl(host: string): string {
  return hostOrigin(host) + apiPath;
}

/** Renewal goes to the user's own data centre. */
export function refreshUrl(host: string): string {
  return hostOrigin(host) + token.path;
}

/** Throws a usage failure. */
export function parseHost(host: string, from: string): string {
  if (isHost(host)) return host.toLowerCase();
  throw usageError(
    `${from}: ${JSON.stringify(host)} is not a host`,
    'Give the host alone, as in api.example.com: no https://, no path, and a port only for this machine (127.0.0.1:4010).',
  );
}

/** The address that a person signs in at, without a slash at its end. Throws a usage failure. */
export function parseAuthUrl(text: string): string {
  const hint = 'Give the address of the service’s authorization, as in https://login.example.com';
  if (!URL.canParse(text)) throw usageError(`${JSON.stringify(text)} is not an authorization address`, hint);
  const url = new URL(text);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw usageError(`${JSON.stringify(text)} holds more than an address`, hint);
  }
  const safe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.host));
  if (!safe) throw usageError(`${JSON.stringify(text)} is not https`, hint);
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/**
 * The suffixes that a token response's host may have: the authorization host less its first label where that leaves a
 * domain of somebody's own, or else the whole of it. Loopback only from loopback.
 */
export function defaultHostSuffixes(authUrl: string): readonly string[] {
  const { host, hostname } = new URL(authUrl);
  if (isLoopbackHost(host)) return [];
  const parent = hostname.split('.').slice(1).join('.');
  return [parent.includes('.') && !publicSuffix.test(parent) ? parent : hostname];
}

/** `co.uk`, `com.au`: a short label below a country, which many owners share. */
const publicSuffix = /^[a-z]{2,3}\.[a-z]{2}$/;

/** Whether tokens got from this authorization address may be sent to this host. */
export function isAllowedHost(host: string, authUrl: string, suffixes: readonly string[]): boolean {
  if (isLoopbackHost(host)) return isLoopbackHost(new URL(authUrl).host);
  if (!hostNamePattern.test(host)) return false;
  const lower = host.toLowerCase();
  return suffixes.some((suffix) => lower === suffix || lower.endsWith(`.${suffix}`));
}
