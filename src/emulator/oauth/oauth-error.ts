// The errors of the token endpoint. The contract shows none, so they follow the RFC.
// @see [RFC 6749 §5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2)

import type { AssumptionId } from '#contract/assumption.ts';
import { jsonResponse, type OutgoingResponse, ResponseNotes } from '../http/response.ts';

type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope';

export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  /** Further assumptions, besides the one for all errors of this endpoint. */
  readonly because: readonly AssumptionId[];
  /** The client used HTTP Basic, so the response has status 401 and a challenge. */
  readonly basic: boolean;

  constructor(
    code: OAuthErrorCode,
    description: string,
    { because = [], basic = false }: { because?: readonly AssumptionId[]; basic?: boolean } = {},
  ) {
    super(description);
    this.name = 'OAuthError';
    this.code = code;
    this.because = because;
    this.basic = basic;
  }
}

export const noStore = { Pragma: 'no-cache' };

export function oauthErrorResponse({ code, message, because, basic }: OAuthError): OutgoingResponse {
  const notes = new ResponseNotes();
  for (const id of ['token-endpoint-errors', ...because] as const) notes.assume(id);
  const challenge: Record<string, string> = basic ? { 'WWW-Authenticate': 'Basic realm="wm-emulator"' } : {};
  return jsonResponse(
    basic ? 401 : 400,
    { error: code, error_description: message },
    { ...noStore, ...challenge, ...notes.headers },
  );
}
