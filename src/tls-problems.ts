// Says what a code of TLS means: what happened, what helps on the server, and what the user of the server can do.

type Hint = (ask: string) => string;
const clock: Hint = (ask) => `Check this machine's clock. If it is right, ${ask}`;
const name: Hint = (ask) => `Check the spelling of the host. If it is right, ${ask}`;
const port: Hint = () => 'Check the host and the port. A proxy without TLS: HTTPS_PROXY=http://HOST:PORT';
const again: Hint = () =>
  'Run it again. If that fails too, check HTTPS_PROXY: a firewall may block the host.';
const trust: Hint = () =>
  'Behind a company proxy, trust its certificate: --ca FILE, or NODE_EXTRA_CA_CERTS=FILE.';
const other: Hint = (ask) => `wm cannot change that: ${ask}`;

export const usePublicAuthority =
  'Get a certificate from a public authority. To trust this one here: --ca FILE';
const sendChain =
  'Let the server send its intermediate certificates (fullchain.pem). To trust a private authority here: --ca FILE';
const checkIssuer = 'Check the clock of the machine that issued it.';
const requireNone = 'Accept clients without a certificate.';
export const serveHttps = 'Check that the port serves https, and not http.';
const rejected = 'rejected the TLS handshake: perhaps it requires a client certificate, or other ciphers';

/** The first that matches counts. Alerts come from the server. */
const problems: readonly (readonly [RegExp, what: string, fix: string, hint?: Hint])[] = [
  [/^CERT_HAS_EXPIRED$/, 'has a certificate that has expired', 'Renew the certificate.', clock],
  [/^CERT_NOT_YET_VALID$/, 'has a certificate that is not yet valid', checkIssuer, clock],
  [/ALTNAME|UNRECOGNIZED_NAME/, 'has no certificate for this host', 'Get a certificate for this host.', name],
  [/^DEPTH_ZERO_SELF_SIGNED/, 'has a self-signed certificate', usePublicAuthority, trust],
  [/^UNABLE_TO_|SELF_SIGNED|UNTRUSTED/, 'has a certificate of an unknown authority', sendChain, trust],
  [/UNSUPPORTED_PROTOCOL|VERSION$|VERSION_TOO/, 'offers only TLS 1.1 or older', 'Enable TLS 1.2 or 1.3.'],
  [/ALERT_\w*CERTIFICATE|UNKNOWN_CA$|DENIED$/, 'requires a client certificate; wm has none', requireNone],
  [/ALERT_HANDSHAKE_FAILURE|ALERT_INSUFFICIENT_SECURITY/, rejected, requireNone],
  [/APPLICATION_PROTOCOL/, 'accepts only HTTP/2', 'Accept HTTP/1.1, too.'],
  [/_ALERT_/, 'ended the TLS handshake with an error of its own', 'Look for the error in its log.'],
  [/WRONG_VERSION|HTTP_REQUEST|LENGTH_TOO_LONG/, 'does not speak TLS at this port', serveHttps, port],
  [/TOO_SMALL|TOO_WEAK|LEGACY/, 'has TLS settings that are too weak', 'Renew its keys and TLS settings.'],
  [/^ECONNRESET$|^EPIPE$|EOF/, 'closed the connection during the TLS handshake', serveHttps, again],
];

/** Undefined for other codes, whose own text must do. */
export function tlsProblem(code = '') {
  const problem = problems.find(([codes]) => codes.test(code));
  if (!problem) return undefined;
  const [, what, fix, hint = other] = problem;
  const ask = `ask the operator of the server to ${fix.charAt(0).toLowerCase()}${fix.slice(1)}`;
  return { what: `the server ${what}`, fix, hint: hint(ask) };
}
