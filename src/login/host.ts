// Hosts: what a valid host is, its URLs, and which hosts a sign-in may use. A token response names the host that later gets
// the tokens, so it is checked before anything is sent there.

import { apiPath } from '#contract/authorization.ts';
import { usageError } from '#failure.ts';

const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?';
/** The last label must not be a number, not even 0x7f: a URL parser would take the name for an IPv4 address. */
const hostNamePattern = new RegExp(`^(?=.{1,253}$)(?:${label}\\.)+(?!(?:\\d+|0x[\\da-f]*)$)${label}$`, 'i');
const loopbackPattern = /^(?:127\.0\.0\.1|\[::1\]|localhost):(\d{1,5})$/;

/** A loopback host with a port, such as 127.0.0.1:4010. Only these use http, as the emulator does, unless https:// precedes them. */
export function isLoopbackHost(host: string): boolean {
  const port = Number(loopbackPattern.exec(host)?.[1]);
  return port >= 1 && port <= 65_535;
}

/** Whether it is a host name with a dot, without a port, and not an IP address. */
export function isHostName(host: string): boolean {
  return hostNamePattern.test(host);
}

const secureScheme = 'https://';

/** `https://127.0.0.1:4010`. */
function isSecureLoopback(host: string): boolean {
  return host.startsWith(secureScheme) && isLoopbackHost(host.slice(secureScheme.length));
}

/** The host as it is stored: a loopback host gets the scheme https if the authorization URL is https on loopback. */
export function withSchemeOf(authUrl: string | undefined, host: string): string {
  if (authUrl === undefined || !isLoopbackHost(host) || !URL.canParse(authUrl)) return host;
  return isSecureLoopback(new URL(authUrl).origin) ? secureScheme + host : host;
}

/** Whether it is valid: a host name without port or path; a loopback host with a port; or https:// and the latter. */
export function isHost(host: string): boolean {
  return hostNamePattern.test(host) || isLoopbackHost(host) || isSecureLoopback(host);
}

/** The origin of a valid host: https, or http for a loopback host without a scheme. */
export function hostOrigin(host: string): string {
  if (isSecureLoopback(host)) return host;
  return `${isLoopbackHost(host) ? 'http' : 'https'}://${host}`;
}

/** The base URL of the API on a valid host. Contract: Authentication 6. */
export function apiBaseUrl(host: string): string {
  return hostOrigin(host) + apiPath;
}

/** A valid host in lower case. `from`: the flag or the variable that it came from. @throws {Failure} `usage` for any other text. */
export function parseHost(host: string, from: string): string {
  if (isHost(host)) return host.toLowerCase();
  throw usageError(
    `${from}: ${quoteAddress(host)} is not a host`,
    'Give only the host, such as api.example.com, without https:// or a path. Only a loopback host has a port, from 1 to 65535 (127.0.0.1:4010).',
  );
}

/** An https origin (http on loopback) and a path without a slash at its end; a host is enough. @throws {Failure} `usage` for any other text. */
export function parseAuthUrl(text: string): string {
  const hint = 'Give the authorization URL of the service, such as https://login.example.com';
  const quoted = quoteAddress(text);
  const typed = text.trim();
  const address = isHost(typed) ? hostOrigin(typed) : typed;
  if (!URL.canParse(address)) throw usageError(`${quoted} is not an authorization URL`, hint);
  const url = new URL(address);
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '')
    throw usageError(`${quoted} has more than a host and a path`, hint);
  const isSafe = url.protocol === 'https:' || (url.protocol === 'http:' && isLoopbackHost(url.host));
  if (!isSafe) throw usageError(`${quoted} is not https`, hint);
  return url.origin + url.pathname.replace(/\/+$/, '');
}

/** In quotes, for messages, without the parts that may be a password. */
function quoteAddress(text: string): string {
  const withoutUser = text.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, '$1...@');
  return JSON.stringify(withoutUser.replace(/[?#].*/s, '?...'));
}

/** The parent domain of the authorization host, or the host itself if that is a public suffix. None for a loopback host. */
export function defaultHostSuffixes(authUrl: string): readonly string[] {
  const { host, hostname } = new URL(authUrl);
  if (isLoopbackHost(host)) return [];
  const parent = hostname.split('.').slice(1).join('.');
  return [parent.includes('.') && !publicSuffix.test(parent) ? parent : hostname];
}

/** `co.uk`, `com.au`: a short label below a country, where the subdomains have many owners. */
const publicSuffix = /^[a-z]{2,3}\.[a-z]{2}$/;

/** Whether tokens of this authorization URL may be sent to `host`: in one of the domains, or on loopback if the URL is too. */
export function isAllowedHost(host: string, authUrl: string, suffixes: readonly string[]): boolean {
  if (isLoopbackHost(host)) return isLoopbackHost(new URL(authUrl).host);
  if (!hostNamePattern.test(host)) return false;
  const lower = host.toLowerCase();
  return suffixes.some((suffix) => lower === suffix || lower.endsWith(`.${suffix}`));
}
