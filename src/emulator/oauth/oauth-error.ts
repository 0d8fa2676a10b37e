// What the token endpoint answers when it does not grant: the errors of RFC 6749, section 5.2. The contract shows none.

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
  /** The client came with HTTP Basic, and is told in its way. */
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
