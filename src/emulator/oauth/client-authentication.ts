// Authenticates clients of the token endpoint: by id and secret in form fields, or by HTTP Basic.
// @see [RFC 6749 §2.3.1](https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1)

import { isSameText } from '#contract/signature.ts';
import { contentType, decodePart, parsePairs, type ReceivedRequest } from '../http/request.ts';
import type { ResponseNotes } from '../http/response.ts';
import { tolerate } from '../http/tolerances.ts';
import type { Application, Store } from '../state/store.ts';
import { invalidClient, invalidRequest } from './oauth-error.ts';

export type Form = ReadonlyMap<string, string>;

/**
 * Unknown fields are ignored, a repeated one is an error, and an empty value counts as omitted.
 * @see [RFC 6749 §3.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.2)
 */
export async function readForm(
  request: ReceivedRequest,
  parameterNames: readonly string[],
  notes: ResponseNotes,
): Promise<Form> {
  if (request.path.includes('//')) tolerate(notes, 'double-slash');
  if (request.query !== '') tolerate(notes, 'token-query');
  const type = contentType(request);
  const body = await request.body();
  if (type !== 'application/x-www-form-urlencoded' && (body !== '' || request.query === ''))
    throw invalidRequest(
      `The Content-Type is ${type || 'missing'}; it must be application/x-www-form-urlencoded`,
    );
  const form = new Map<string, string>();
  for (const [name, value] of [...parsePairs(request.query), ...parsePairs(body)]) {
    if (form.has(name)) throw invalidRequest(`${name} is given more than once`, 'repeated-parameter');
    if (value === '') notes.assume('empty-token-parameter');
    else form.set(name, value);
    if (parameterNames.includes(name)) continue;
    tolerate(notes, name === 'code_verifier' ? 'pkce' : 'unknown-token-parameter');
    notes.ignore(name);
  }
  return form;
}

export function requireField(form: Form, name: string): string {
  const value = form.get(name);
  if (value === undefined) throw invalidRequest(`${name} is required`);
  return value;
}

function parseBasicCredentials(header: string) {
  const encoded = /^basic +([A-Za-z0-9+/=]+) *$/i.exec(header)?.[1];
  const text = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  const separator = text.indexOf(':');
  if (separator === -1) throw invalidClient('The Authorization header is not HTTP Basic', 'basic');
  const [id, secret] = [decodePart(text.slice(0, separator)), decodePart(text.slice(separator + 1))];
  if (id === undefined || secret === undefined)
    throw invalidClient('The Authorization header is not valid percent-encoding', 'basic');
  return { id, secret };
}

export function authenticateClient(
  store: Store,
  { headers }: ReceivedRequest,
  form: Form,
  notes: ResponseNotes,
): Application {
  const { authorization } = headers;
  const usesBasic = authorization !== undefined;
  const formCredentials = { id: form.get('client_id'), secret: form.get('client_secret') };
  if (usesBasic)
    tolerate(notes, formCredentials.secret === undefined ? 'basic-credentials' : 'both-credentials');
  const { id, secret } = usesBasic
    ? parseBasicCredentials(authorization)
    : { id: requireField(form, 'client_id'), secret: requireField(form, 'client_secret') };
  const { id: formId = id, secret: formSecret = secret } = formCredentials;
  const conflict = formId !== id ? 'client_id' : formSecret !== secret && 'client_secret';
  if (conflict)
    throw invalidRequest(`${conflict} differs from the one in the Authorization header`, 'both-credentials');
  const application = store.applications.get(id);
  if (application === undefined || !isSameText(application.secret, secret))
    throw invalidClient('Unknown client_id or wrong client_secret', usesBasic ? 'basic' : undefined);
  return application;
}
