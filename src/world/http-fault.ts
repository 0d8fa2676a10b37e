// Maps the errors of Node and undici to the faults of HttpFault.

import { tlsProblem } from '#tls-problems.ts';
import type { HttpFault } from './world.ts';

/** Thrown instead of a system error when wm does not allow the connection. */
export class AddressNotAllowedError extends Error {
  readonly code = 'WM_ADDRESS';
  constructor(addresses: readonly string[]) {
    super(`not allowed to connect to ${addresses.join(', ')}`);
  }
}

/** The proxy is unreachable or untrusted, or did not connect. */
export class ProxyError extends Error {
  /** Waiting does not help: its certificate is not trusted, or it rejected the request. */
  readonly reason: 'tls' | 'rejected' | undefined;
  readonly tlsCode: string;
  constructor(message: string, reason?: ProxyError['reason'], tlsCode = '') {
    super(message);
    this.reason = reason;
    this.tlsCode = tlsCode;
  }
}

const unreachableCodes =
  /^(EAI_|ENOTFOUND|ENODATA|EHOST|ENET|EADDR|EACCES|EPERM|EMFILE|ENFILE|ENOBUFS|EINVAL)/;

export function connectFault(error: unknown, secure: boolean): HttpFault['fault'] {
  if (error instanceof ProxyError) return error.reason === 'tls' ? 'tls' : 'proxy';
  const code = codeOf(error);
  if (code === 'WM_ADDRESS') return 'address-not-allowed';
  if (code === 'ECONNREFUSED') return 'connection-refused';
  if (code === 'ETIMEDOUT') return 'timeout';
  if (unreachableCodes.test(code)) return 'unreachable';
  return secure ? 'tls' : 'unreachable';
}

/** Tells whether waiting may help after an error before the request was sent; `undefined` if its fault already says so. */
export function mayPass(error: unknown): boolean | undefined {
  if (error instanceof ProxyError) return error.reason === 'rejected' ? false : undefined;
  // A restarting server closes connections before TLS is established. Its certificate is not at fault.
  return /^(ECONNRESET|EPIPE)$/.test(codeOf(error)) || undefined;
}

/** Returns the fault for an error after the request was sent. `headless`: no headers have arrived yet. */
export function responseFault(error: unknown, headless: boolean): HttpFault['fault'] {
  const code = codeOf(error);
  const detail = errorDetail(error);
  // The connection ended inside a chunked body.
  if (code === 'HPE_INVALID_EOF_STATE' || /Invalid EOF state/.test(detail)) return 'reset';
  if (code.startsWith('HPE_') || (error instanceof Error && error.name === 'HTTPParserError'))
    return 'malformed';
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'malformed';
  // undici also uses this code for two different Content-Length headers.
  if (code === 'UND_ERR_RES_CONTENT_LENGTH_MISMATCH' && headless) return 'malformed';
  if (code === 'UND_ERR_SOCKET' && /^bad (response|upgrade)$/.test(detail)) return 'malformed';
  if (code === 'EPROTO' || code.startsWith('ERR_SSL_')) return 'tls';
  if (code === 'ETIMEDOUT') return 'timeout';
  return 'reset';
}

function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return '';
  if ('code' in error && typeof error.code === 'string') return error.code;
  return error instanceof AggregateError ? codeOf(error.errors[0]) : '';
}

/** OpenSSL's reason in `…:error:0A00042E:SSL routines:ssl3_read_bytes:tlsv1 alert protocol version:…`. */
const opensslReason = /:error:[\dA-F]+:[^:]*:[^:]*:([^:]+):/;
const otherNames =
  /altnames: (?:Host|IP): (\S+?)\.? is not (?:in the cert's (?:altnames|list)|cert's CN): (.+)/;

/** Describes an error for the user and, if it is about TLS, for {@link tlsProblem}. */
export function describeError(
  error: unknown,
  fault: HttpFault['fault'],
): Pick<HttpFault, 'detail' | 'tlsCode'> {
  const detail = errorDetail(error);
  if (fault !== 'tls') return { detail };
  if (error instanceof ProxyError) return { detail, tlsCode: error.tlsCode };
  // Node's own client has EPROTO for all errors of OpenSSL, and undici a code for each.
  const reason = opensslReason.exec(detail)?.[1];
  const tlsCode = reason ? `ERR_SSL_${reason.toUpperCase().replaceAll(' ', '_')}` : codeOf(error);
  const [, host, names] = otherNames.exec(detail) ?? [];
  if (host) return { detail: `the server has a certificate for ${names}, not for ${host}`, tlsCode };
  return { detail: tlsProblem(tlsCode)?.what ?? reason ?? detail, tlsCode };
}

export function errorDetail(error: unknown): string {
  // If Node tries several addresses of one name, it collects their errors in an error without a message.
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map(errorDetail).join('; ');
  return error instanceof Error ? error.message : String(error);
}
