// The authorization endpoints: paths, parameters and responses. Contract: Authentication; Authorization endpoints.

import * as s from './schema.ts';
import { type Scope, scopes } from './scope.ts';
import { words } from './words.ts';

const nonEmptyText = s.text('text', { notEmpty: true });

/** Scopes are separated by commas, unlike the spaces of RFC 6749 §3.3, and case-sensitive. Contract: Authentication 3. */
export const scopeList: s.Schema<readonly Scope[]> = {
  type: 'scope,scope',
  wireFormat: 'text',
  choices: scopes,
  form: { kind: 'choices', choices: scopes },
  validate(input) {
    if (!Array.isArray(input)) throw s.invalidValue(input, 'is not a list of scopes');
    return input.map((entry: unknown) => {
      const scope = scopes.find((name) => name === entry);
      if (scope === undefined) throw s.invalidChoice(entry, scopes);
      return scope;
    });
  },
  fromWire: (wire) => scopeList.validate(wire.split(',').map((part) => part.trim())),
  toWire: (value) => value.join(','),
};

export const revocationCauses = words(
  'user-revokes password-reset user-deactivated administrator-signs-in password-policy-changed',
);

const requiredText = (meaning: string) => ({ schema: nonEmptyText, meaning, required: true }) as const;
const requiredSecret = (meaning: string) => ({ ...requiredText(meaning), secret: true }) as const;
const always = <T extends string>(type: string, value: T) =>
  ({ schema: s.choice(type, [value]), meaning: `Always ${value}`, required: true }) as const;

const clientId = requiredText('The application, from its console');
const credentials = {
  client_id: clientId,
  client_secret: requiredSecret("The application's secret"),
} as const;

/** GET, opened in a browser. @see [RFC 6749 §4.1.1](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.1) */
export const authorize = {
  path: '/oauth2/authorize/v4',
  parameters: {
    client_id: clientId,
    response_type: always('code', 'code'),
    redirect_uri: {
      schema: nonEmptyText,
      meaning: 'Where to return to; required if the application has several',
    },
    state: { schema: nonEmptyText, meaning: 'Returned unchanged' },
    scope: { schema: scopeList, meaning: 'The scopes to request' },
  },
} as const;

/** POST, form. One endpoint, two grants. @see [RFC 6749 §4.1.3](https://www.rfc-editor.org/rfc/rfc6749#section-4.1.3) and §6 */
export const token = {
  path: '/oauth2/token',
  grants: {
    authorization_code: {
      ...credentials,
      grant_type: always('grant type', 'authorization_code'),
      code: requiredSecret('The code of the redirect'),
      redirect_uri: {
        schema: nonEmptyText,
        meaning: 'The same as in the authorization request, if it had one',
      },
    },
    refresh_token: {
      ...credentials,
      grant_type: always('grant type', 'refresh_token'),
      refresh_token: requiredSecret('The refresh token, good for one use'),
      scope: { schema: scopeList, meaning: 'Fewer scopes than before' },
    },
  },
} as const;

/** POST, form: a version 3 refresh token for version 4 tokens. */
export const convert = {
  path: '/oauth2/convert_v3_token',
  parameters: {
    refresh_token: requiredSecret('The version 3 refresh token'),
    accountId: requiredText('The one account that the new token is for'),
  },
} as const;

/** The characters that a header can contain. See [RFC 6750 §2.1](https://www.rfc-editor.org/rfc/rfc6750#section-2.1). */
export const tokenPattern = /^[\x21-\x7e]+$/;

/** A token: a header can hold it. */
export const headerText = s.text('token', {
  notEmpty: true,
  pattern: { regex: tokenPattern, description: 'visible ASCII' },
});

/**
 * The response of the token endpoint. A refresh may omit `host` or `refresh_token`: see assumption.ts. Contract:
 * Authentication 6.
 * @see [RFC 6749 §5.1](https://www.rfc-editor.org/rfc/rfc6749#section-5.1)
 */
export const tokenResponse = s.object('token response', {
  access_token: headerText,
  refresh_token: s.optional(nonEmptyText),
  token_type: s.optional(nonEmptyText),
  expires_in: s.optional(s.number('seconds', { from: 0, integer: true })),
  host: s.optional(nonEmptyText),
});

export type TokenResponse = s.TypeOf<typeof tokenResponse>;

export const apiPath = '/api/v4';
