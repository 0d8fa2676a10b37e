// The authorization endpoint: shows the consent page for a sound request, and sends the person back with a code or a
// refusal. A wrong application or callback is never redirected anywhere. A ticket in the form, good for one answer,
// keeps other sites from answering in the person's name.

import { authorize } from '../../contract/authorization.ts';
import { accessDenied } from '../../contract/error.ts';
import { defaultScope, scopes as knownScopes, type Scope } from '../../contract/scope.ts';
import { type Answer, allowing } from '../answer.ts';
import { audit } from '../audit.ts';
import { randomText } from '../random.ts';
import { contentType, pairsOf, type Received } from '../received.ts';
import { Refusal } from '../refusal.ts';
import type { Service } from '../service.ts';
import type { Application, Code, Store, Ticket } from '../store.ts';
import { callbackWith, isCallback } from './callback.ts';
import { type Choice, consentPage, errorPage } from './page.ts';

const ticketMs = 600_000;

/** What the request asks cannot be told to the application, only to the person. */
class Stop extends Error {}

function redirect(location: string): Answer {
  return {
    status: 303,
    headers: { Location: location, 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer' },
    body: '',
  };
}

function fieldsOf(encoded: string): ReadonlyMap<string, string> {
  const fields = new Map<string, string>();
  for (const [name, value] of pairsOf(encoded)) {
    if (fields.has(name)) throw new Stop(`The parameter ${name} stands there more than once.`);
    fields.set(name, value);
  }
  return fields;
}

interface Sound {
  readonly application: Application;
  readonly redirectUri: string;
  readonly named: boolean;
}

function soundRequest(store: Store, fields: ReadonlyMap<string, string>): Sound {
  const application = store.applications.get(fields.get('client_id') ?? '');
  if (application === undefined) {
    throw new Stop(
      fields.has('client_id') ? 'The client_id is not that of an application.' : 'The client_id is missing.',
    );
  }
  const redirectUri = fields.get('redirect_uri');
  if (redirectUri !== undefined) {
    if (!isCallback(application, redirectUri)) {
      throw new Stop(`The redirect_uri ${redirectUri} is not registered for ${application.name}.`);
    }
    return { application, redirectUri, named: true };
  }
  const [only, second] = application.callbacks;
  if (only === undefined || second !== undefined || application.loopback) {
    throw new Stop(`The redirect_uri is missing; ${application.name} has more than one callback.`);
  }
  return { application, redirectUri: only, named: false };
}

function scopesOf(text: string | undefined): readonly Scope[] | undefined {
  if (text === undefined || text === '') return [defaultScope];
  const wanted = text.split(',').map((one) => knownScopes.find((known) => known === one.trim()));
  const scopes = wanted.filter((one) => one !== undefined);
  return scopes.length === wanted.length ? scopes : undefined;
}

function choices(store: Store): readonly Choice[] {
  return [...store.users.values()]
    .filter(({ type, deleted }) => type === 'Person' && !deleted)
    .map(({ id, firstName, lastName, accountId }) => {
      const account = store.accounts.get(accountId);
      return {
        userId: id,
        name: `${firstName} ${lastName}`,
        account: `${account?.name} (${account?.dataCentre})`,
      };
    });
}

function show({ store, clock, changed }: Service, received: Received): Answer {
  const fields = fieldsOf(received.query);
  const { application, redirectUri, named } = soundRequest(store, fields);
  const state = fields.get('state');
  const back = (error: string, error_description: string) =>
    redirect(callbackWith(redirectUri, { error, error_description, state }));
  const type = fields.get('response_type');
  if (type === undefined) return back('invalid_request', 'response_type is required');
  if (type !== authorize.parameters.response_type.value.type) {
    return back('unsupported_response_type', 'Only the response_type code is supported');
  }
  const scopes = scopesOf(fields.get('scope'));
  if (scopes === undefined)
    return back('invalid_scope', `scope holds what is not one of ${knownScopes.join(',')}`);
  const ticket: Ticket = {
    id: randomText(43),
    applicationId: application.id,
    redirectUri,
    named,
    ...(state === undefined ? {} : { state }),
    scopes,
    expires: clock.now() + ticketMs,
  };
  for (const { id, expires } of store.tickets.values()) if (expires <= clock.now()) store.tickets.delete(id);
  store.tickets.set(ticket.id, ticket);
  changed();
  return consentPage({
    application: application.name,
    redirectUri,
    scopes,
    choices: choices(store),
    ticket: ticket.id,
  });
}

async function decide(service: Service, received: Received): Promise<Answer> {
  const { store, clock, settings, changed } = service;
  if (contentType(received) !== 'application/x-www-form-urlencoded')
    throw new Stop('This is not the form of the page.');
  const fields = fieldsOf(await received.body());
  const ticket = store.tickets.get(fields.get('ticket') ?? '');
  if (ticket === undefined || ticket.expires <= clock.now()) {
    throw new Stop('This page was answered before, or has been open for too long. Start the sign-in again.');
  }
  const { redirectUri, state, scopes, applicationId, named } = ticket;
  const decision = fields.get('decision');
  const userId = choices(store).find((one) => one.userId === fields.get('user'))?.userId;
  if (decision !== 'allow' && decision !== 'deny') throw new Stop('The answer is neither Allow nor Deny.');
  if (decision === 'allow' && userId === undefined) throw new Stop('No account was chosen.');
  store.tickets.delete(ticket.id);
  changed();
  if (decision === 'deny' || userId === undefined) {
    const error_description = 'The user denied access';
    return redirect(callbackWith(redirectUri, { error: accessDenied, error_description, state }));
  }
  const code: Code = {
    id: randomText(43),
    applicationId,
    userId,
    scopes,
    expires: clock.now() + settings.codeSeconds * 1000,
    ...(named ? { redirectUri } : {}),
    used: false,
  };
  store.codes.set(code.id, code);
  audit(service, userId, 'OAuthAccessGranted', 'Application', applicationId);
  return redirect(callbackWith(redirectUri, { code: code.id, state }));
}

export async function consent(service: Service, received: Received): Promise<Answer> {
  try {
    if (received.method === 'GET' || received.method === 'HEAD') return show(service, received);
    if (received.method === 'POST') return await decide(service, received);
    if (received.method === 'OPTIONS') return allowing(['GET', 'POST'], received.path);
    const refused = errorPage('This page is opened with GET and answered with POST.');
    return { ...refused, status: 405, headers: { ...refused.headers, Allow: 'GET, POST' } };
  } catch (error) {
    if (error instanceof Stop || error instanceof Refusal) return errorPage(error.message);
    throw error;
  }
}
