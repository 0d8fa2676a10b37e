// The same-origin check of every request: a page of another site, open in a browser on this machine, can send requests to
// a loopback port, so a request must name this machine (or a site's own name could lead here: DNS rebinding), and must not
// come from a page of another origin. Only the origins and names that the person who starts the emulator allows are exempt.

import { authorize } from '../../contract/authorization.ts';
import type { ReceivedRequest } from './request.ts';

/** What the person who starts the emulator exempts. */
interface Allowed {
  readonly allowOrigins: readonly string[];
  readonly allowHosts: readonly string[];
}

/** Who sent a request, as far as its headers show. */
export type Sender =
  /** A program, or a page of the emulator's own; `allowedOrigin`: a page that may read the response. */
  | { readonly trusted: true; readonly allowedOrigin?: string }
  /** `origin`: what the page says that it comes from, where it does. `why` is for a person. */
  | { readonly trusted: false; readonly why: string; readonly hint: string; readonly origin?: string };

/** The names of this machine, as Host has them: in whatever form, no name of a domain fits. */
const loopbackHost = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])$/;

/** Pages without secrets, which links of other sites lead to: signing in begins at the first. */
const linkedPages: readonly string[] = [authorize.path, '/', '/open'];

export function senderOf(request: ReceivedRequest, allowed: Allowed): Sender {
  const { headers, authority, path } = request;
  const host = (headers.host ?? '').toLowerCase();
  for (const one of authority === undefined ? [host] : [host, authority.toLowerCase()]) {
    if (!isOwnHost(one, allowed.allowHosts)) {
      const name = nameOf(one);
      return {
        trusted: false,
        why: `The Host ${quote(one)} is not a name of this machine`,
        hint: `Send it to 127.0.0.1 or localhost${isHostName(name) ? `, or start the emulator with --allow-host ${name}` : ''}.`,
      };
    }
  }
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin !== undefined) {
    // Any port: a tunnel or a proxy may have another one than the emulator.
    if (origin === `http://${host}` || origin === `https://${host}`) return trustUnlessCrossSite(request);
    // The consent page answers for a person: no other page may.
    if (path !== authorize.path && allowed.allowOrigins.includes(origin))
      return { trusted: true, allowedOrigin: origin };
    return fromPage(`a web page of ${quote(origin)}`, origin);
  }
  if (site === undefined || isLinked(request)) return { trusted: true };
  return trustUnlessCrossSite(request);
}

/** True where a browser shows the response itself: an address was typed, a link followed or a form sent. */
export function isNavigation({ headers }: Pick<ReceivedRequest, 'headers'>): boolean {
  return headers['sec-fetch-mode'] === 'navigate';
}

function trustUnlessCrossSite({ headers: { 'sec-fetch-site': site } }: ReceivedRequest): Sender {
  if (site === undefined || site === 'same-origin' || site === 'none') return { trusted: true };
  return fromPage(`a web page of another origin (Sec-Fetch-Site: ${quote(String(site))})`);
}

function isLinked({ method, path, headers }: ReceivedRequest): boolean {
  return (
    (method === 'GET' || method === 'HEAD') &&
    linkedPages.includes(path) &&
    isNavigation({ headers }) &&
    headers['sec-fetch-dest'] === 'document'
  );
}

function fromPage(page: string, origin?: string): Sender {
  const mayBeAllowed = origin !== undefined && isOrigin(origin);
  return {
    trusted: false,
    why: `The request comes from ${page}`,
    hint: mayBeAllowed
      ? `To allow that page: start the emulator with --allow-origin ${origin}`
      : 'To allow a page: start the emulator with --allow-origin ORIGIN; the page then has to use fetch with CORS.',
    ...(origin === undefined ? {} : { origin }),
  };
}

const nameOf = (host: string) => host.replace(/:\d{1,5}$/, '');

function isOwnHost(host: string, allowHosts: readonly string[]): boolean {
  const name = nameOf(host);
  return loopbackHost.test(name) || allowHosts.includes(name);
}

/** True for a name as a Host header has it, in lower case and without a port. */
export function isHostName(text: string): boolean {
  return /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/.test(text);
}

/** True for an origin as browsers write it: scheme, host, and the port unless it is the scheme's own. */
export function isOrigin(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return false;
  const { protocol, host } = new URL(text);
  return host !== '' && text === `${protocol}//${host}`;
}

function quote(text: string): string {
  return JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}...` : text);
}
