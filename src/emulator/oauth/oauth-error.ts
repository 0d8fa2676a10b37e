// Responses of the token endpoint: tokens, or an OAuth error. The contract shows no errors, so they follow the RFC.
// @see [RFC 6749 §5.2](https://www.rfc-editor.org/rfc/rfc6749#section-5.2)

import { jsonResponse, type OutgoingResponse } from '../http/response.ts';

export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_grant'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'invalid_scope';

export class OAuthError extends Error {
  readonly code: OAuthErrorCode;
  /** The client used HTTP Basic, so the response has status 401 and a challenge. */
  readonly basic: boolean;

  constructor(code: OAuthErrorCode, description: string, basic = false) {
    super(description);
    this.name = 'OAuthError';
    this.code = code;
    this.basic = basic;
  }
}

const noStore = { Pragma: 'no-cache' };

export function tokenResponse(value: unknown): OutgoingResponse {
  return jsonResponse(200, value, noStore);
}

export function oauthErrorResponse({ code, message, basic }: OAuthError): OutgoingResponse {
  const challenge: Record<string, string> = basic ? { 'WWW-Authenticate': 'Basic realm="wm-emulator"' } : {};
  return jsonResponse(
    basic ? 401 : 400,
    { error: code, error_description: message },
    { ...noStore, ...challenge },
  );
}
