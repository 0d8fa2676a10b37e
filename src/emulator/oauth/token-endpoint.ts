// The token endpoint exchanges a code or a refresh token for tokens, and the convert endpoint a version 3 refresh token.

import { convert, type TokenResponse, token } from '#contract/authorization.ts';
import type { DataCentre } from '#contract/delivery.ts';
import { grantsAccess, type Scope } from '#contract/scope.ts';
import { ErrorResponse } from '../http/error-response.ts';
import type { ReceivedRequest } from '../http/request.ts';
import * as http from '../http/response.ts';
import { findLiveToken } from '../service/authenticate.ts';
import type { Service } from '../service/service.ts';
import type { Application } from '../state/store.ts';
import { authenticateClient, type Form, readForm, requireField } from './client-authentication.ts';
import * as errors from './oauth-error.ts';
import { accountOf, issueTokens, parseScopes, revokeTokens, scopeWarning } from './tokens.ts';

interface GrantRequest {
  readonly service: Service;
  readonly dataCentre: DataCentre;
  readonly application: Application;
  readonly form: Form;
  readonly notes: http.ResponseNotes;
}

const grants: Readonly<Record<keyof typeof token.grants, (request: GrantRequest) => TokenResponse>> = {
  authorization_code({ service, application, form }) {
    const { store, clock } = service;
    const text = requireField(form, 'code');
    const code = store.codes.get(text);
    if (code?.applicationId !== application.id) throw errors.invalidGrant('Unknown code');
    if (code.used) {
      // RFC 6749 §4.1.2: an attacker may have used it first.
      revokeTokens(service, ({ codeId }) => codeId === code.id);
      throw errors.invalidGrant('The code was already used', 'code-reuse');
    }
    if (code.expires <= clock.now()) throw errors.invalidGrant('The code has expired');
    const redirectUri = form.get('redirect_uri');
    if (code.redirectUri !== undefined && redirectUri === undefined)
      throw errors.invalidRequest('redirect_uri is required, because the authorization request had one');
    const user = store.users.get(code.userId);
    if (user?.deactivated || user?.deleted)
      throw errors.invalidGrant('The user is deactivated or deleted', 'inactive-user');
    if (redirectUri !== undefined && redirectUri !== (code.redirectUri ?? application.callbacks[0]))
      throw errors.invalidGrant('redirect_uri differs from the one in the authorization request');
    store.codes.set(code.id, { ...code, used: true });
    return issueTokens(service, { ...code, codeId: code.id });
  },

  refresh_token({ service, dataCentre, application, form, notes }) {
    const { store, settings } = service;
    const old = findLiveToken(service, requireField(form, 'refresh_token'), 'refresh');
    if (old?.applicationId !== application.id)
      throw errors.invalidGrant('The refresh token is unknown or was already used');
    // The token stays valid: the right data centre will accept it.
    if (accountOf(store, old.userId).dataCentre !== dataCentre)
      throw errors.invalidGrant('The refresh token belongs to another data centre', 'refresh-host');
    notes.assume('refresh-host');
    notes.assume('access-token-after-refresh');
    const accessScopes = narrowScopes(form, old.scopes, notes);
    store.tokens.delete(old.id);
    const tokens = issueTokens(service, old, accessScopes);
    const { host: _, ...withoutHost } = tokens;
    if (settings.mode === 'bare') return withoutHost;
    notes.assume('refresh-response');
    return tokens;
  },
};

function narrowScopes(form: Form, granted: readonly Scope[], notes: http.ResponseNotes): readonly Scope[] {
  const requested = form.get('scope');
  if (requested === undefined) return granted;
  const { scopes, unknown } = parseScopes(requested);
  const notGranted =
    scopes.find((scope) => !grantsAccess(granted, [scope])) ?? (scopes.length === 0 ? requested : undefined);
  if (notGranted !== undefined || (unknown.length > 0 && notes.strict)) {
    const because = notGranted === undefined ? 'unknown-scope' : 'refresh-scope';
    throw errors.invalidScope(`The scope ${notGranted ?? unknown.join(',')} was not granted`, because);
  }
  if (unknown.length > 0) notes.warn(scopeWarning(unknown), 'unknown-scope');
  return scopes;
}

function isGrant(text: string): text is keyof typeof grants {
  return Object.hasOwn(grants, text);
}

async function respond(
  request: ReceivedRequest,
  { settings }: Service,
  createTokens: (notes: http.ResponseNotes) => Promise<TokenResponse>,
): Promise<http.OutgoingResponse> {
  if (request.method === 'OPTIONS') return http.optionsResponse(['POST'], request.path);
  if (request.method !== 'POST') {
    const body = { error: 'invalid_request', error_description: 'This endpoint accepts only POST' };
    return http.jsonResponse(405, body, { Allow: 'POST', ...http.errorHeaders('token-endpoint-errors') });
  }
  const notes = new http.ResponseNotes(settings.mode);
  try {
    const tokens = await createTokens(notes);
    return http.jsonResponse(200, tokens, { ...errors.noStore, ...notes.headers });
  } catch (error) {
    if (error instanceof errors.OAuthError) return errors.oauthErrorResponse(error);
    if (!(error instanceof ErrorResponse)) throw error;
    const { message, because } = error;
    const isAssumed = because !== 'stated' && because !== 'emulator';
    return errors.oauthErrorResponse(errors.invalidRequest(message, isAssumed ? because : undefined));
  }
}

/** The parameters of both grants. */
const tokenParameters: readonly string[] = Object.values(token.grants).flatMap((rows) => Object.keys(rows));

export function tokenEndpoint(service: Service, request: ReceivedRequest): Promise<http.OutgoingResponse> {
  return respond(request, service, async (notes) => {
    const form = await readForm(request, tokenParameters, notes);
    const application = authenticateClient(service.store, request, form, notes);
    const grant = requireField(form, 'grant_type');
    if (!isGrant(grant)) throw errors.unsupportedGrantType(`The grant type ${grant} is not supported`);
    return grants[grant]({ service, dataCentre: request.dataCentre, application, form, notes });
  });
}

export function convertEndpoint(service: Service, request: ReceivedRequest): Promise<http.OutgoingResponse> {
  return respond(request, service, async (notes) => {
    const { store, clock } = service;
    const form = await readForm(request, Object.keys(convert.parameters), notes);
    const field = (name: keyof typeof convert.parameters) => requireField(form, name);
    const old = findLiveToken(service, field('refresh_token'), 'version 3');
    const accountId = field('accountId');
    if (old === undefined) throw errors.invalidGrant('Unknown version 3 refresh token');
    if (accountOf(store, old.userId).id !== accountId)
      throw errors.invalidGrant(`The token gives no access to the account ${accountId}`);
    // It works for a day after its first conversion.
    if (old.expires === undefined) store.tokens.set(old.id, { ...old, expires: clock.now() + 86_400_000 });
    return issueTokens(service, old);
  });
}
