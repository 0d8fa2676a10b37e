// The same-origin check. A web page of another site, open in a browser on this machine, can send requests to a loopback port.
// So the Host of a request must be loopback (otherwise a site's own name could resolve here: DNS rebinding), and the request
// must not come from a page of another origin. The user can exempt origins and host names.

import { isIP } from 'node:net';
import { authorize } from '#contract/authorization.ts';
import { hostWithoutBrackets, isLoopbackHost } from '#contract/hook-url.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { ReceivedRequest } from './request.ts';

interface Exemptions {
  /** The address it listens on. Safe to accept: a malicious page's host is a name, never an address. */
  readonly address: string;
  readonly allowOrigins: readonly string[];
  readonly allowHosts: readonly string[];
}

type Sender =
  /** A program, or a page of the emulator. `allowedOrigin`: pages of this origin may read the response. */
  | { readonly trusted: true; readonly allowedOrigin?: string }
  /** `origin`: the page's origin, if the request has one. `why` is for the user. */
  | { readonly trusted: false; readonly why: string; readonly hint: string; readonly origin?: string };

/** Pages without secrets, to which other sites may link: a sign-in starts at the first. */
const linkedPages: readonly string[] = [authorize.path, '/', '/open.htm'];

export function senderOf(request: ReceivedRequest, exemptions: Exemptions): Sender {
  const { headers, authority, path } = request;
  const { address, allowHosts, allowOrigins } = exemptions;
  const host = (headers.host ?? '').toLowerCase();
  const hosts = authority === undefined ? [host] : [host, authority.toLowerCase()];
  const isAllowed = (name: string) => name === hostInUrl(address) || allowHosts.includes(name);
  const foreignHost = hosts.find((name) => !isLoopbackHost(name) && !isAllowed(nameOf(name)));
  if (foreignHost !== undefined) {
    const name = nameOf(foreignHost);
    return {
      trusted: false,
      why: `The Host ${quote(foreignHost)} is not a name of this machine`,
      hint: `Send it to 127.0.0.1 or localhost${isHostName(name) ? `, or start the emulator with --allow-host ${name}` : ''}.`,
    };
  }
  const { origin, 'sec-fetch-site': site } = headers;
  // Any port is fine: a tunnel or proxy may use a different one.
  const isForeign = origin !== undefined && origin !== `http://${host}` && origin !== `https://${host}`;
  // Only the consent page itself may submit its form.
  if (isForeign && path !== authorize.path && allowOrigins.includes(origin))
    return { trusted: true, allowedOrigin: origin };
  if (isForeign) return fromPage(`a web page of ${quote(origin)}`, origin);
  const isLink = origin === undefined && isLinked(request);
  if (isLink || site === undefined || site === 'same-origin' || site === 'none') return { trusted: true };
  return fromPage(`a web page of another origin (Sec-Fetch-Site: ${quote(String(site))})`);
}

/** True if a browser will show the response as a page: the user typed an address, followed a link or submitted a form. */
export const isNavigation = ({ headers }: ReceivedRequest) => headers['sec-fetch-mode'] === 'navigate';

function isLinked(request: ReceivedRequest): boolean {
  const { method, path, headers } = request;
  const isPage = isNavigation(request) && headers['sec-fetch-dest'] === 'document';
  return (method === 'GET' || method === 'HEAD') && linkedPages.includes(path) && isPage;
}

function fromPage(page: string, origin?: string): Sender {
  const canBeAllowed = origin !== undefined && isOrigin(origin);
  const hint = canBeAllowed
    ? `To allow that page: start the emulator with --allow-origin ${origin}`
    : 'To allow a page: start the emulator with --allow-origin ORIGIN; the page then has to use fetch with CORS.';
  return { trusted: false, why: `The request comes from ${page}`, hint, ...omitUndefined({ origin }) };
}

const nameOf = (host: string) => host.replace(/:\d{1,5}$/, '');

/** An address as URLs and the Host header have it. */
export const hostInUrl = (address: string): string =>
  address.includes(':') ? new URL(`http://[${address}]`).hostname : address;

/** True for a host name in lower case without a port. */
export const isHostName = (text: string) => /^(?=.{1,253}$)[a-z0-9_](?:[a-z0-9_.-]*[a-z0-9_])?$/.test(text);

/** A host name or an address in the form of URLs: in lower case, but without brackets. Undefined for anything else, such as a port. */
export function parseHost(text: string): string | undefined {
  const address = text.replace(/^\[(.*)\]$/, '$1');
  const isBracketed = isIP(address) === 6;
  const url = `http://${isBracketed ? `[${address}]` : address}`;
  if ((!isBracketed && /[:/?#@\\]/.test(address)) || !URL.canParse(url)) return undefined;
  const host = hostWithoutBrackets(new URL(url));
  return isBracketed || isHostName(host) ? host : undefined;
}

/** True for an origin as browsers send it: scheme, host, and the port unless it is the scheme's default. */
export function isOrigin(text: string): boolean {
  if (!/^[a-z][a-z0-9+.-]*:\/\/[\x21-\x7e]+$/.test(text) || !URL.canParse(text)) return false;
  const { protocol, host } = new URL(text);
  return host !== '' && text === `${protocol}//${host}`;
}

const quote = (text: string) => JSON.stringify(text.length > 100 ? `${text.slice(0, 100)}...` : text);
