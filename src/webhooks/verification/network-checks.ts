// Checks what can be checked before a request: the URL by the contract's rule, the addresses of its host, the connection, and whether
// clients trust the certificate.

import { countOf } from '#cli/count-of.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { isGlobalAddress, validateHookUrl } from '#contract/hook-url.ts';
import { ValidationError } from '#contract/schema.ts';
import { serveHttps, tlsProblem, usePublicAuthority } from '#tls-problems.ts';
import type { Inspection, InspectionFault, PeerCertificate } from '#world/world.ts';
import { type CheckResult, failed, notChecked, type Problem, passed, warned } from './check-result.ts';
import type { VerifyOptions } from './verify-flags.ts';

const proxied = 'through a proxy';

/** Applies the service's rule. Only warns a user who tries a receiver to which the service would not deliver: `allowPrivate`. */
export function urlCheck(url: string, allowLoopback: boolean, allowPrivate: boolean): CheckResult {
  try {
    validateHookUrl(url, { allowLoopback });
    return passed('url');
  } catch (error) {
    if (!(error instanceof ValidationError)) throw error;
    const problem = {
      why: `the service does not accept it: it ${error.problem}`,
      fix: 'Use an http or https URL of the public network, on port 80 or 443.',
    };
    return allowPrivate ? warned('url', problem) : failed('url', problem);
  }
}

interface NetworkFacts {
  readonly url: URL;
  readonly inspection: Inspection;
  readonly allowAddress: (address: string) => boolean;
  readonly connectTo: VerifyOptions['connectTo'];
  readonly now: number;
}

/** After a check that fails, no request can be sent. */
export function networkChecks(facts: NetworkFacts): readonly CheckResult[] {
  const { inspection, url, now } = facts;
  const dns = dnsCheck(facts);
  if (dns.outcome === 'fail') return [dns];
  const { fault, isProxied } = inspection;
  if (fault?.stage === 'connection') return [dns, failed('connection', explainConnection(facts, fault))];
  const connection = isProxied ? notChecked('connection', proxied) : passed('connection');
  return [dns, connection, ...certificateChecks(url, inspection, now)];
}

function dnsCheck({ url, inspection, allowAddress, connectTo }: NetworkFacts): CheckResult {
  const check = 'dns';
  if (connectTo !== undefined) return notChecked(check, `--connect-to ${connectTo.host}:${connectTo.port}`);
  const { fault, addresses, isProxied } = inspection;
  if (fault?.stage === 'name') {
    const why = `${url.hostname} does not resolve: ${fault.detail}`;
    return failed(check, { why, fix: 'Check the spelling of the host, and its DNS records.' });
  }
  const blocked = addresses.filter((address) => !allowAddress(address));
  if (blocked.length > 0 && (isProxied || blocked.length === addresses.length)) {
    const why = `${describeBlocked(url, blocked)}; the service does not deliver there`;
    return failed(check, { why, fix: 'To send the samples there anyway: --allow-private' });
  }
  if (addresses.length === 0 && isProxied) return notChecked(check, proxied);
  const nonGlobal = addresses.filter((address) => !isGlobalAddress(address));
  if (nonGlobal.length === 0 || nonGlobal.length === addresses.length)
    return passed(check, addresses.join(', '));
  const why = `${joinWithAnd(nonGlobal)} is not a global address: the service cannot deliver there`;
  return warned(check, { why, fix: 'Remove it from the DNS records of the host.' });
}

function describeBlocked({ hostname }: URL, blocked: readonly string[]): string {
  const names = joinWithAnd(blocked);
  if (hostname.replace(/^\[|\]$/g, '') === names) return `${names} is not a global address`;
  return `${hostname} leads to ${names}, which ${blocked.length === 1 ? 'is not a global address' : 'are not global addresses'}`;
}

/** Names the service's addresses: it may reach a receiver that this machine cannot. */
function explainConnection({ url, connectTo }: NetworkFacts, { fault, detail }: InspectionFault): Problem {
  const { host = url.hostname, port = url.port || (url.protocol === 'https:' ? '443' : '80') } =
    connectTo ?? {};
  const address = `${host}, port ${port}`;
  if (fault === 'connection-refused') {
    const why = `${host} refuses connections to port ${port}`;
    return { why, fix: 'Start the receiver, or the proxy before it.' };
  }
  if (fault === 'timeout')
    return {
      why: `no connection to ${address}, in time; a firewall may drop it`,
      fix: 'Let the firewall accept the addresses of the service. If it accepts only those, verify from a machine that it accepts.',
    };
  const fix = 'Check the network of this machine and of the receiver.';
  return { why: `no connection to ${address}: ${detail}`, fix };
}

const dayMs = 86_400_000;
/** Enough time to renew a certificate by hand. */
const soonDays = 14;

function certificateChecks(url: URL, inspection: Inspection, now: number): readonly CheckResult[] {
  const { fault, certificate, isProxied } = inspection;
  if (url.protocol !== 'https:')
    return [notChecked('tls', 'http: deliveries are not encrypted', 'Use an https URL.')];
  if (isProxied) return [notChecked('tls', proxied)];
  if (fault || !certificate) {
    const { what = `no TLS connection: ${fault?.detail ?? 'no certificate'}`, fix = serveHttps } =
      tlsProblem(fault?.tlsCode) ?? {};
    return [failed('tls', { why: what, fix })];
  }
  if (certificate.distrust === undefined)
    return [passed('tls', `certificate of ${certificate.issuer}`), expiryCheck(certificate, now)];
  return [failed('tls', explainDistrust(certificate, certificate.distrust, url, now))];
}

function expiryCheck({ validTo }: PeerCertificate, now: number): CheckResult {
  const days = Math.floor((validTo - now) / dayMs);
  const date = formatDay(validTo);
  if (days >= soonDays) return passed('certificate expiry', `${date}, in ${days} days`);
  return warned('certificate expiry', {
    why: `it expires on ${date}, in ${countOf(Math.max(0, days), 'day')}; from then on every delivery fails`,
    fix: 'Renew the certificate.',
  });
}

function explainDistrust(
  { names, issuer, validFrom, validTo }: PeerCertificate,
  code: string,
  url: URL,
  now: number,
): Problem {
  const { fix = usePublicAuthority } = tlsProblem(code) ?? {};
  if (code === 'CERT_HAS_EXPIRED' && validTo > now)
    return {
      why: `the certificate is valid, but one above it has expired: that of ${issuer}`,
      fix: 'Let the server send the current chain of its authority.',
    };
  if (code === 'CERT_HAS_EXPIRED') return { why: `the certificate expired on ${formatDay(validTo)}`, fix };
  if (code === 'CERT_NOT_YET_VALID')
    return { why: `the certificate is valid only from ${formatDay(validFrom)}`, fix };
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID')
    return {
      why: `the certificate is for ${names.slice(0, 5).join(', ') || 'no name'}, not for ${url.hostname}`,
      fix: isGlobalAddress(url.hostname) ? 'Use a host name in the URL that the certificate is for.' : fix,
    };
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT')
    return { why: 'the certificate is self-signed, so clients do not trust it', fix };
  const why = /^UNABLE_TO_(VERIFY_LEAF_SIGNATURE|GET_ISSUER_CERT)/.test(code)
    ? `the certificate of its issuer, ${issuer || 'unknown'}, is missing: the server does not send the whole chain, or the authority is not public`
    : `the certificate, issued by ${issuer || 'an unnamed issuer'}, is not trusted: ${code}`;
  return { why, fix };
}

function formatDay(at: number): string {
  return Number.isNaN(at) ? 'an unknown date' : new Date(at).toISOString().slice(0, 10);
}
