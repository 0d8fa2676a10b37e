// The authorization endpoints: where they are, what they take, what they answer, and how long the results live.

import type { Parameter } from './parameter.ts';
import { type Scope, scopes } from './scope.ts';
import {
  notOneOf,
  number,
  optional,
  Refused,
  record,
  shown,
  type TypeOf,
  text,
  type Value,
} from './value.ts';

const plain = text('text', { notEmpty: true });

/** Scopes go over the wire with commas between them. They are case-sensitive. */
export const scopeList: Value<readonly Scope[]> = {
  type: 'scope,scope',
  wire: 'text',
  choices: scopes,
  check(input) {
    if (!Array.isArray(input)) throw new Refused(shown(input), 'is not a list of scopes');
    return input.map((one: unknown) => {
      const scope = scopes.find((known) => known === one);
      if (scope === undefined) throw notOneOf(one, scopes);
      return scope;
    });
  },
  fromWire: (wire) => scopeList.check(wire.split(',').map((one) => one.trim())),
  toWire: (value) => value.join(','),
};

const required = { required: true } as const;

const clientId: Parameter<string> = {
  value: plain,
  meaning: 'The application, from its console',
  ...required,
};
const clientSecret: Parameter<string> = {
  value: plain,
  meaning: "The application's secret",
  secret: true,
  ...required,
};

/** GET, opened in a browser. */
export const authorize = {
  path: '/oauth2/authorize/v4',
  parameters: {
    client_id: clientId,
    response_type: { value: text('code', { notEmpty: true }), meaning: 'Always code', ...required },
    redirect_uri: {
      value: plain,
      meaning: 'Where to go back to; required where the application has several',
    },
    state: { value: plain, meaning: 'Comes back unchanged' },
    scope: { value: scopeList, meaning: 'What to ask for' },
  },
} as const;

/** POST, form. One endpoint, two grants. */
export const token = {
  path: '/oauth2/token',
  grants: {
    authorization_code: {
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: { value: plain, meaning: 'authorization_code', ...required },
      code: { value: plain, meaning: 'The code of the redirect', secret: true, ...required },
      redirect_uri: { value: plain, meaning: 'The same as in the authorize request, where one was used' },
    },
    refresh_token: {
      client_id: clientId,
      client_secret: clientSecret,
      grant_type: { value: plain, meaning: 'refresh_token', ...required },
      refresh_token: {
        value: plain,
        meaning: 'The refresh token, good for one use',
        secret: true,
        ...required,
      },
      scope: { value: scopeList, meaning: 'Fewer scopes than before' },
    },
  },
} as const;

/** POST, form: a version 3 refresh token for version 4 tokens. */
export const convert = {
  path: '/oauth2/convert_v3_token',
  parameters: {
    refresh_token: { value: plain, meaning: 'The version 3 refresh token', secret: true, ...required },
    accountId: { value: plain, meaning: 'The one account that the new token is for', ...required },
  },
} as const;

/** What a header can carry. */
const bearer = text('token', {
  notEmpty: true,
  pattern: { test: /^[\x21-\x7e]+$/, says: 'visible ASCII' },
});

/** What the token endpoint answers. A renewal may leave out `host` or `refresh_token`: see assumption.ts. */
export const tokenAnswer = record('token answer', {
  access_token: bearer,
  refresh_token: optional(plain),
  token_type: optional(plain),
  expires_in: optional(number('seconds', { from: 0 })),
  host: optional(plain),
});

export type TokenAnswer = TypeOf<typeof tokenAnswer>;

/** The path of the API below a host: the version is part of it. */
export const apiPath = '/api/v4';
