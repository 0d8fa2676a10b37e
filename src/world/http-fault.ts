// What the errors of Node and undici mean: each becomes one of the faults of HttpFault.

import type { HttpFault } from './world.ts';

/** In place of a system error: this program does not allow the connection. */
export class AddressNotAllowedError extends Error {
  readonly code = 'WM_ADDRESS';
  constructor(addresses: readonly string[]) {
    super(`not allowed to connect to ${addresses.join(', ')}`);
  }
}

/** The proxy cannot be reached, is not trusted, or did not connect. */
export class ProxyError extends Error {
  readonly code = 'WM_PROXY';
  /** Its certificate is not trusted, or it rejected the request: waiting does not help. */
  readonly reason: 'tls' | 'rejected' | undefined;
  constructor(message: string, reason?: ProxyError['reason']) {
    super(message);
    this.reason = reason;
  }
}

const unreachableCodes =
  /^(EAI_|ENOTFOUND|ENODATA|EHOST|ENET|EADDR|EACCES|EPERM|EMFILE|ENFILE|ENOBUFS|EINVAL)/;

/** The fault for an error before the request was sent. */
export function connectFault(error: unknown, secure: boolean): HttpFault['fault'] {
  if (error instanceof ProxyError) return error.reason === 'tls' ? 'tls' : 'proxy';
  const code = codeOf(error);
  if (code === 'WM_ADDRESS') return 'address-not-allowed';
  if (code === 'ECONNREFUSED') return 'connection-refused';
  if (code === 'ETIMEDOUT') return 'timeout';
  if (unreachableCodes.test(code)) return 'unreachable';
  return secure ? 'tls' : 'unreachable';
}

/** Whether waiting may cure an error before the request was sent, where others of its fault differ. */
export function mayPass(error: unknown): boolean | undefined {
  if (error instanceof ProxyError) return error.reason === 'rejected' ? false : undefined;
  // A server that restarts closes connections before TLS is established: its certificate is not at fault.
  return /^(ECONNRESET|EPIPE)$/.test(codeOf(error)) || undefined;
}

/** The fault for an error after the request was sent. `headless`: no headers have arrived yet. */
export function responseFault(error: unknown, headless: boolean): HttpFault['fault'] {
  const code = codeOf(error);
  const detail = errorDetail(error);
  // The connection ended within a chunked body.
  if (code === 'HPE_INVALID_EOF_STATE' || /Invalid EOF state/.test(detail)) return 'reset';
  if (code.startsWith('HPE_') || (error instanceof Error && error.name === 'HTTPParserError'))
    return 'malformed';
  if (code === 'UND_ERR_HEADERS_OVERFLOW') return 'malformed';
  // For headers, undici reports two different lengths with this code.
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

/** The message of an error, for a user. */
export function errorDetail(error: unknown): string {
  // Node tries several addresses of one name, and then collects the errors in one without a message.
  if (error instanceof AggregateError && error.message === '')
    return error.errors.map(errorDetail).join('; ');
  return error instanceof Error ? error.message.replace(nodeAdvice, '') : String(error);
}

/** How to run Node, which newer versions add; it does not help a user of `wm`. */
const nodeAdvice = /; if the root CA is installed locally, try running Node\.js with --use-system-ca$/;
