// The authorization endpoint: shows the consent page for a valid request, and redirects the user back with a code or an error. Never
// redirects for an unknown application or redirect_uri. A one-time ticket in the form keeps other sites from submitting it.

import type { AssumptionId } from '#contract/assumption.ts';
import { authorize } from '#contract/authorization.ts';
import { defaultScope, scopes as knownScopes } from '#contract/scope.ts';
import { accessDenied } from '#contract/service-error.ts';
import { omitUndefined } from '#omit-undefined.ts';
import { randomText } from '#random-values.ts';
import { ErrorResponse } from '../http/error-response.ts';
import { contentType, parsePairs, type ReceivedRequest } from '../http/request.ts';
import {
  errorHeaders,
  type OutgoingResponse,
  optionsResponse,
  ResponseNotes,
  withHeaders,
} from '../http/response.ts';
import { recordAudit } from '../service/audit.ts';
import type { Service } from '../service/service.ts';
import { requireEntry } from '../state/access.ts';
import { isRegisteredRedirectUri, withParameters } from '../state/redirect-uri.ts';
import type { Code, PendingConsent, Store } from '../state/store.ts';
import { type Choice, consentPage, errorPage } from './consent-page.ts';
import { parseScopes, scopeWarning } from './tokens.ts';

const ticketMs = 600_000;

/** An error to show on a page, because redirecting it to the application would not be safe. */
class PageError extends Error {}

function redirect(location: string): OutgoingResponse {
  const headers = { Location: location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' };
  return { status: 303, headers, body: '' };
}

/** The only error of this endpoint in the contract is that the user denied access. The others are assumed. */
const withAssumption = (response: OutgoingResponse, assumption: AssumptionId = 'authorization-errors') =>
  withHeaders(response, errorHeaders(assumption));

function parseFields(encoded: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of parsePairs(encoded)) {
    if (fields.has(name)) throw new PageError(`The parameter ${name} is given more than once.`);
    fields.set(name, value);
  }
  return fields;
}

/** `named`: the request has a redirect_uri. */
function validateRequest(store: Store, fields: ReadonlyMap<string, string>) {
  const application = store.applications.get(fields.get('client_id') ?? '');
  if (application === undefined)
    throw new PageError(
      fields.has('client_id') ? 'No application has this client_id.' : 'The client_id is missing.',
    );
  const redirectUri = fields.get('redirect_uri');
  if (redirectUri !== undefined) {
    if (!isRegisteredRedirectUri(application, redirectUri))
      throw new PageError(`The redirect_uri ${redirectUri} is not registered for ${application.name}.`);
    return { application, redirectUri, named: true };
  }
  const [callback, second] = application.callbacks;
  if (callback === undefined || second !== undefined || application.loopback)
    throw new PageError(`The redirect_uri is missing, and ${application.name} does not have exactly one.`);
  return { application, redirectUri: callback, named: false };
}

function listChoices(store: Store): readonly Choice[] {
  return [...store.users.values()]
    .filter(({ type, deleted, deactivated }) => type === 'Person' && !deleted && !deactivated)
    .map(({ id, firstName, lastName, accountId }) => {
      const { name, dataCentre } = requireEntry(store.accounts, accountId);
      return { userId: id, name: `${firstName} ${lastName}`.trim(), account: `${name} (${dataCentre})` };
    });
}

function showConsentPage(service: Service, request: ReceivedRequest): OutgoingResponse {
  const { store, clock, settings } = service;
  const fields = parseFields(request.query);
  const { application, redirectUri, named } = validateRequest(store, fields);
  const state = fields.get('state');
  const redirectError = (error: string, error_description: string, assumption?: AssumptionId) =>
    withAssumption(redirect(withParameters(redirectUri, { error, error_description, state })), assumption);
  const type = fields.get('response_type');
  if (type === undefined) return redirectError('invalid_request', 'response_type is required');
  if (type !== authorize.parameters.response_type.schema.type)
    return redirectError('unsupported_response_type', 'Only the response_type code is supported');
  const { scopes, unknown } = parseScopes(fields.get('scope') || defaultScope);
  if (unknown.length > 0 && (settings.mode === 'strict' || scopes.length === 0))
    return redirectError(
      'invalid_scope',
      `scope may only contain ${knownScopes.join(',')}`,
      settings.mode === 'strict' ? 'unknown-scope' : undefined,
    );
  const choices = listChoices(store);
  if (choices.length === 0)
    throw new PageError(
      'No user of this emulator can sign in: all are removed or deactivated. To restore them: wm emulator reset.',
    );
  const ticket: PendingConsent = {
    id: randomText(service, 43),
    applicationId: application.id,
    redirectUri,
    named,
    ...omitUndefined({ state }),
    scopes,
    expires: clock.now() + ticketMs,
  };
  for (const { id, expires } of store.tickets.values()) if (expires <= clock.now()) store.tickets.delete(id);
  store.tickets.set(ticket.id, ticket);
  const page = consentPage(application.name, ticket, unknown, choices);
  const notes = new ResponseNotes();
  for (const name of fields.keys()) if (!Object.hasOwn(authorize.parameters, name)) notes.ignore(name);
  if (unknown.length > 0) notes.warn(scopeWarning(unknown), 'unknown-scope');
  // Http is registered for loopback addresses only.
  if (/^http:/i.test(redirectUri)) notes.assume('loopback-redirect');
  return withHeaders(page, notes.headers ?? {});
}

async function handleDecision(service: Service, request: ReceivedRequest): Promise<OutgoingResponse> {
  const { store, clock, settings } = service;
  if (contentType(request) !== 'application/x-www-form-urlencoded')
    throw new PageError('The request is not a submitted form.');
  const fields = parseFields(await request.body());
  const ticket = store.tickets.get(fields.get('ticket') ?? '');
  if (ticket === undefined || ticket.expires <= clock.now())
    throw new PageError('This page has expired or was already submitted. Start signing in again.');
  const { redirectUri, state, scopes, applicationId, named } = ticket;
  const decision = fields.get('decision');
  const userId = listChoices(store).find((choice) => choice.userId === fields.get('user'))?.userId;
  if (decision !== 'allow' && decision !== 'deny')
    throw new PageError('The form contains neither Allow nor Deny.');
  if (decision === 'allow' && userId === undefined) throw new PageError('No account was chosen.');
  store.tickets.delete(ticket.id);
  if (decision === 'deny' || userId === undefined) {
    const error_description = 'The user denied access';
    return redirect(withParameters(redirectUri, { error: accessDenied, error_description, state }));
  }
  const code: Code = {
    id: randomText(service, 43),
    applicationId,
    userId,
    scopes,
    expires: clock.now() + settings.codeSeconds * 1000,
    ...(named ? { redirectUri } : {}),
    used: false,
  };
  store.codes.set(code.id, code);
  const { name } = requireEntry(store.applications, applicationId);
  recordAudit(service, userId, 'OAuthAccessGranted', 'Application', applicationId, name);
  return redirect(withParameters(redirectUri, { code: code.id, state }));
}

export async function authorizationEndpoint(service: Service, request: ReceivedRequest) {
  try {
    if (request.method === 'GET' || request.method === 'HEAD') return showConsentPage(service, request);
    if (request.method === 'POST') return await handleDecision(service, request);
    if (request.method === 'OPTIONS') return optionsResponse(['GET', 'POST'], request.path);
    return withHeaders(errorPage('This page accepts only GET and POST.', 405), { Allow: 'GET, POST' });
  } catch (error) {
    if (error instanceof PageError || error instanceof ErrorResponse)
      return withAssumption(errorPage(error.message));
    throw error;
  }
}
