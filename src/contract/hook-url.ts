// Validates the URL of a webhook: http or https, a global address, port 80 or 443 (contract: Delivery 4). The addresses of a host
// name are checked on connecting, with `isGlobalAddress`.

import ipaddr from 'ipaddr.js';
import { joinWithAnd } from './format-list.ts';
import { limit } from './limit.ts';
import { formatValue, invalidValue, ValidationError } from './schema.ts';

/** The IPv4 address inside an IPv6 address, which packets reach. */
function embeddedIpv4(address: ipaddr.IPv6): ipaddr.IPv4 | undefined {
  const bytes = address.toByteArray();
  const ipv4At = (offset: number) => new ipaddr.IPv4(bytes.slice(offset, offset + 4));
  switch (address.range()) {
    case 'ipv4Mapped':
      return address.toIPv4Address();
    case 'rfc6145': // ::ffff:0:a.b.c.d, translated
      return ipv4At(12);
    case 'rfc6052': // 64:ff9b::a.b.c.d, NAT64. 64:ff9b:1:: is for local use (RFC 8215).
      return address.parts[2] === 0 ? ipv4At(12) : undefined;
    case '6to4': // 2002:a.b.c.d::
      return ipv4At(2);
    default:
      return undefined;
  }
}

/** Rejects forms such as `10` or `0x7f.1`, which ipaddr.js accepts. */
const isAddress = (text: string) => ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);

export type AddressRange = ReturnType<typeof ipaddr.parseCIDR>;

/** Parses an address, or a range such as 10.0.0.0/8. Throws {@link ValidationError}. */
export function parseAddressRange(text: string): AddressRange {
  const [start = '', bits] = text.split('/');
  if (!isAddress(start) || (bits !== undefined && !ipaddr.isValidCIDR(text)))
    throw invalidValue(text, 'is not an address or a range, as in 10.0.0.0/8');
  if (bits !== undefined) return ipaddr.parseCIDR(text);
  const address = ipaddr.process(text);
  return [address, address.kind() === 'ipv4' ? 32 : 128];
}

/** An IPv4 address inside an IPv6 one counts as IPv4. */
export function isInRanges(text: string, ranges: readonly AddressRange[]): boolean {
  if (!isAddress(text)) return false;
  const address = ipaddr.process(text);
  return ranges.some(([start, bits]) => start.kind() === address.kind() && address.match(start, bits));
}

/** All global IPv6 addresses are in this block. */
const globalIpv6 = ipaddr.IPv6.parseCIDR('2000::/3');

/** True for a public address: dotted IPv4 or IPv6, without a zone. */
export function isGlobalAddress(text: string): boolean {
  if (!ipaddr.isValid(text) || text.includes('%')) return false;
  const address = ipaddr.parse(text);
  if (address instanceof ipaddr.IPv6) {
    const inner = embeddedIpv4(address);
    if (inner) return isGlobalAddress(inner.toString());
    if (!address.match(globalIpv6)) return false;
  }
  return address.range() === 'unicast';
}

const localNamePattern =
  /(^|\.)(localhost|local|internal|localdomain|arpa|test|invalid|onion|lan|corp|intranet|home|private|alt)$/;

export function hostWithoutBrackets(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/** A scheme, two slashes, an authority; no space, backslash or control character anywhere. */
const plainUrlPattern = /^[a-z][a-z0-9+.-]*:\/\/[^\s\\\p{C}/?#]+(?:[/?#][^\s\\\p{C}]*)?$/iu;
const label = '[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9_])?';
const globalNamePattern = new RegExp(`^(?=.{1,253}$)${label}(?:\\.${label})+$`);

interface HookUrlRules {
  /** Exempts loopback addresses from the address and port rules. */
  readonly allowLoopback?: boolean;
}

/** True for a host (without brackets) that is this machine: 127.0.0.0/8, ::1 or localhost. */
export function isLoopback(host: string): boolean {
  return /^127\.\d+\.\d+\.\d+$/.test(host) || host === '::1' || host === 'localhost';
}

/** True for a Host header that names this machine, with any port. No domain name does, so no page of another site can send it. */
export function isLoopbackHost(host: string): boolean {
  return /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host);
}

/** Quotes a URL for messages, without parts that may contain a password or a token. */
export function quoteUrl(text: string): string {
  const withoutCredentials = text.replace(/^([a-z][a-z\d+.-]*:\/\/)?.*@/is, '$1...@');
  return formatValue(withoutCredentials.replace(/[?#].*/s, '?...'));
}

/** The HTTP client uses the same parser (WHATWG URL): every spelling of an address means the same to both. Throws {@link ValidationError}. */
export function validateHookUrl(text: string, rules: HookUrlRules = {}): URL {
  const reject = (rule: string): never => {
    throw new ValidationError(quoteUrl(text), rule);
  };
  // Before normalisation, because this text is what is sent and what other parsers read.
  if (!plainUrlPattern.test(text) || !URL.canParse(text)) return reject('is not an http or https URL');
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') return reject('is not an http or https URL');
  if (/^[^/]*\/\/[^/?#]*@/.test(text)) return reject('contains credentials, which a hookUrl must not');
  const host = hostWithoutBrackets(url);
  if (rules.allowLoopback && isLoopback(host)) return url;
  if (url.port !== '' && !limit.hookUrlPorts.some((port) => String(port) === url.port))
    return reject(`has port ${url.port}; only ${joinWithAnd(limit.hookUrlPorts.map(String))} are allowed`);
  if (ipaddr.isValid(host)) {
    if (!isGlobalAddress(host)) return reject(`points to ${host}, which is not a global address`);
  } else {
    const name = host.replace(/\.$/, '').toLowerCase();
    if (!globalNamePattern.test(name) || localNamePattern.test(name))
      return reject(`points to ${host}, which is not a global name`);
  }
  return url;
}
