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

/**
 * `because`: a further assumption, besides the one for all errors of this endpoint. `basic`: the client used HTTP Basic, so the
 * response has status 401 and a challenge.
 */
export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  readonly because: AssumptionId | 'basic' | undefined;

  constructor(code: OAuthErrorCode, description: string, because?: AssumptionId | 'basic') {
    super(description);
    this.name = 'OAuthError';
    this.code = code;
    this.because = because;
  }
}

export const noStore = { Pragma: 'no-cache' };

export function oauthErrorResponse({ code, message, because }: OAuthError): OutgoingResponse {
  const notes = new ResponseNotes();
  notes.assume('token-endpoint-errors');
  const isBasic = because === 'basic';
  if (because !== undefined && !isBasic) notes.assume(because);
  const challenge = isBasic && { 'WWW-Authenticate': 'Basic realm="wm-emulator"' };
  return jsonResponse(
    isBasic ? 401 : 400,
    { error: code, error_description: message },
    { ...noStore, ...challenge, ...notes.headers },
  );
}
