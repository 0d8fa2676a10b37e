// Checks the receiver's certificate: whether clients trust it, and when it expires.

import { isGlobalAddress } from '#contract/hook-url.ts';
import type { Inspection, PeerCertificate } from '#world/world.ts';
import { type CheckResult, failed, notChecked, type Problem, passed, warned } from './check-result.ts';

const dayMs = 86_400_000;
/** Enough time to renew a certificate by hand. */
const soonDays = 14;

function shortenTlsError(detail: string): string {
  return /:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):/.exec(detail)?.[1] ?? detail.trim();
}

export function certificateChecks(url: URL, inspection: Inspection, now: number): readonly CheckResult[] {
  const { fault, certificate, isProxied } = inspection;
  if (url.protocol !== 'https:')
    return [notChecked('tls', 'http: deliveries are not encrypted', 'Use an https URL.')];
  if (isProxied) return [notChecked('tls', 'through a proxy')];
  if (fault && /unsupported protocol|protocol version/i.test(fault.detail))
    return [
      failed('tls', {
        why: `the server offers only TLS 1.1 or older: ${shortenTlsError(fault.detail)}`,
        fix: 'Enable TLS 1.2 or 1.3.',
      }),
    ];
  if (fault || !certificate)
    return [
      failed('tls', {
        why: `no TLS connection: ${fault ? shortenTlsError(fault.detail) : 'no certificate'}`,
        fix: 'Check that the port serves https, and not http.',
      }),
    ];
  if (certificate.distrust === undefined)
    return [passed('tls', `certificate of ${certificate.issuer}`), expiryCheck(certificate, now)];
  return [failed('tls', explainDistrust(certificate, certificate.distrust, url, now))];
}

function expiryCheck({ validTo }: PeerCertificate, now: number): CheckResult {
  const days = Math.floor((validTo - now) / dayMs);
  const date = formatDay(validTo);
  if (days >= soonDays) return passed('certificate expiry', `${date}, in ${days} days`);
  return warned('certificate expiry', {
    why: `it expires on ${date}, ${days === 1 ? 'in 1 day' : `in ${Math.max(0, days)} days`}; from then on every delivery fails`,
    fix: 'Renew the certificate.',
  });
}

function explainDistrust(
  { names, issuer, validFrom, validTo }: PeerCertificate,
  code: string,
  url: URL,
  now: number,
): Problem {
  switch (code) {
    case 'CERT_HAS_EXPIRED':
      return validTo <= now
        ? { why: `the certificate expired on ${formatDay(validTo)}`, fix: 'Renew the certificate.' }
        : {
            why: `the certificate is valid, but one above it has expired: that of ${issuer}`,
            fix: 'Let the server send the current chain of its authority.',
          };
    case 'CERT_NOT_YET_VALID':
      return {
        why: `the certificate is valid only from ${formatDay(validFrom)}`,
        fix: 'Check the clock of the machine that issued it.',
      };
    case 'ERR_TLS_CERT_ALTNAME_INVALID':
      return {
        why: `the certificate is for ${names.slice(0, 5).join(', ') || 'no name'}, not for ${url.hostname}`,
        fix: isGlobalAddress(url.hostname)
          ? 'Use a host name in the URL that the certificate is for.'
          : 'Get a certificate for this host name.',
      };
    case 'DEPTH_ZERO_SELF_SIGNED_CERT':
      return { why: 'the certificate is self-signed, so clients do not trust it', fix: publicAuthority };
    case 'UNABLE_TO_VERIFY_LEAF_SIGNATURE':
    case 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY':
    case 'UNABLE_TO_GET_ISSUER_CERT':
      return {
        why: `the certificate of its issuer, ${issuer || 'unknown'}, is missing: the server does not send the whole chain, or the authority is not public`,
        fix: 'Let the server send its intermediate certificates (fullchain.pem). To trust a private authority here: --ca FILE',
      };
    default:
      return {
        why: `the certificate, issued by ${issuer || 'an unnamed issuer'}, is not trusted: ${code}`,
        fix: publicAuthority,
      };
  }
}

const publicAuthority = 'Get a certificate from a public authority. To trust this one here: --ca FILE';

function formatDay(at: number): string {
  return Number.isNaN(at) ? 'an unknown date' : new Date(at).toISOString().slice(0, 10);
}
