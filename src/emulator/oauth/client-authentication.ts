// Client authentication at the token endpoint: id and secret as form fields or as HTTP Basic, never both.
// @see [RFC 6749 §2.3.1](https://www.rfc-editor.org/rfc/rfc6749#section-2.3.1)

import type { EmulatorMode } from '#contract/assumption.ts';
import { isSameText } from '#contract/signature.ts';
import { ErrorResponse } from '../http/error-response.ts';
import { contentType, parsePairs, type ReceivedRequest } from '../http/request.ts';
import type { ResponseNotes } from '../http/response.ts';
import type { Application, Store } from '../state/store.ts';
import { OAuthError } from './oauth-error.ts';

export type Form = ReadonlyMap<string, string>;

export interface TokenRules {
  readonly mode: EmulatorMode;
  readonly notes: ResponseNotes;
}

/**
 * Unknown fields are ignored, a repeated one is an error, and an empty value counts as omitted.
 * @see [RFC 6749 §3.2](https://www.rfc-editor.org/rfc/rfc6749#section-3.2)
 */
export async function readForm(
  request: ReceivedRequest,
  known: readonly string[],
  { mode, notes }: TokenRules,
): Promise<Form> {
  if (request.query !== '')
    throw new OAuthError('invalid_request', 'Send the parameters in the form, not in the query', {
      because: ['token-query'],
    });
  const type = contentType(request);
  if (type !== 'application/x-www-form-urlencoded') {
    throw new OAuthError(
      'invalid_request',
      `The Content-Type is ${type || 'missing'}; it must be application/x-www-form-urlencoded`,
    );
  }
  try {
    const form = new Map<string, string>();
    for (const [name, value] of parsePairs(await request.body())) {
      if (form.has(name))
        throw new OAuthError('invalid_request', `${name} is given more than once`, {
          because: ['repeated-parameter'],
        });
      if (value === '') notes.assume('empty-token-parameter');
      else form.set(name, value);
      if (known.includes(name)) continue;
      const row = name === 'code_verifier' ? 'pkce' : 'unknown-token-parameter';
      if (mode === 'strict')
        throw new OAuthError('invalid_request', `${name} is not a parameter of this request`, {
          because: [row],
        });
      notes.assume(row);
      notes.ignore(name);
    }
    return form;
  } catch (error) {
    if (error instanceof ErrorResponse) throw new OAuthError('invalid_request', error.message);
    throw error;
  }
}

export function requireField(form: Form, name: string): string {
  const value = form.get(name);
  if (value === undefined) throw new OAuthError('invalid_request', `${name} is required`);
  return value;
}

interface Credentials {
  readonly id: string;
  readonly secret: string;
}

function parseBasicCredentials(header: string): Credentials {
  const encoded = /^basic +([A-Za-z0-9+/=]+) *$/i.exec(header)?.[1];
  const text = Buffer.from(encoded ?? '', 'base64').toString('utf8');
  const separatorAt = text.indexOf(':');
  if (separatorAt === -1)
    throw new OAuthError('invalid_client', 'The Authorization header is not HTTP Basic', { basic: true });
  const decode = (one: string) => decodeURIComponent(one.replaceAll('+', ' '));
  try {
    return { id: decode(text.slice(0, separatorAt)), secret: decode(text.slice(separatorAt + 1)) };
  } catch {
    throw new OAuthError('invalid_client', 'The Authorization header is not valid percent-encoding', {
      basic: true,
    });
  }
}

export function authenticateClient(
  store: Store,
  { headers }: ReceivedRequest,
  form: Form,
  { mode, notes }: TokenRules,
): Application {
  const { authorization } = headers;
  const basic = authorization !== undefined;
  if (basic && form.has('client_secret')) {
    throw new OAuthError(
      'invalid_request',
      'Send the client secret in the form or in the Authorization header, not both',
      { because: ['both-credentials'] },
    );
  }
  if (basic && mode === 'strict') {
    throw new OAuthError('invalid_request', 'Send client_id and client_secret in the form', {
      because: ['basic-credentials'],
    });
  }
  if (basic) notes.assume('basic-credentials');
  const { id, secret } = basic
    ? parseBasicCredentials(authorization)
    : { id: requireField(form, 'client_id'), secret: requireField(form, 'client_secret') };
  if (basic && (form.get('client_id') ?? id) !== id) {
    throw new OAuthError('invalid_request', 'client_id differs from the one in the Authorization header', {
      because: ['both-credentials'],
    });
  }
  const application = store.applications.get(id);
  if (application === undefined || !isSameText(application.secret, secret)) {
    throw new OAuthError('invalid_client', 'Unknown client_id or wrong client_secret', { basic });
  }
  return application;
}
