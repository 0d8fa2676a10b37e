// The errors of the token endpoint. The contract shows none, so they follow the RFC.
// @see [RFC 6749 §5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2)

import type { AssumptionId } from '#contract/assumption.ts';
import { jsonResponse, type OutgoingResponse, ResponseNotes } from '../http/response.ts';

/**
 * `because`: a further assumption, besides the one for all errors of this endpoint. `basic`: the client used HTTP Basic, so the
 * response has status 401 and a challenge.
 */
export class OAuthError extends Error {
  readonly code: string;
  readonly because: AssumptionId | 'basic' | undefined;

  constructor(code: string, description: string, because?: AssumptionId | 'basic') {
    super(description);
    this.name = 'OAuthError';
    this.code = code;
    this.because = because;
  }
}

const withCode = (code: string) => (description: string, because?: AssumptionId | 'basic') =>
  new OAuthError(code, description, because);
export const invalidRequest = withCode('invalid_request');
export const invalidClient = withCode('invalid_client');
export const invalidGrant = withCode('invalid_grant');
export const invalidScope = withCode('invalid_scope');
export const unsupportedGrantType = withCode('unsupported_grant_type');

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
