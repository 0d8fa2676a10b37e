// The endpoints of OAuth 2.0. They have addresses of their own, apart from the API's, and take no token.

import { authorize, convert, token, tokenResponse } from '../contract/authorization.ts';
import type { Parameters } from '../contract/parameter.ts';
import type { Components, JsonObject } from './json-schema.ts';
import { formType, toForm, toFormSchema, toParameter } from './openapi-operation.ts';

export const authorizationTag = 'authorization';

export function authorizationPaths(components: Components, authUrl: string): JsonObject {
  const servers = [{ url: authUrl, description: 'Where users sign in' }];
  const grants = Object.entries<Parameters>(token.grants).map(([name, parameters]) =>
    grantReference(name, parameters, components),
  );
  const form = { [formType]: { schema: { oneOf: grants } } };
  return {
    [authorize.path]: { servers, get: consent(components) },
    [token.path]: {
      servers,
      post: tokenOperation('requestToken', 'Exchange a code or a refresh token for tokens', form, components),
    },
    [convert.path]: {
      servers,
      post: tokenOperation(
        'convertToken',
        'Exchange a refresh token of version 3 for tokens of version 4',
        { [formType]: toForm(convert.parameters, components) },
        components,
      ),
    },
  };
}

/** `authorization_code`: `AuthorizationCodeGrant`. */
function grantReference(grant: string, parameters: Parameters, components: Components): JsonObject {
  const words = grant.replace(/(?:^|_)(.)/g, (_, first: string) => first.toUpperCase());
  return components.reference(`${words}Grant`, parameters, () => toFormSchema(parameters, components));
}

function consent(components: Components): JsonObject {
  return {
    operationId: 'authorize',
    summary: 'Ask the user for consent, in a browser',
    tags: [authorizationTag],
    'x-evidence': 'stated',
    security: [],
    parameters: Object.entries(authorize.parameters).map(([name, row]) => toParameter(name, row, components)),
    responses: {
      '200': { description: 'The page that asks the user', content: html },
      '3XX': {
        description: 'Back to the application, with code and state, or with error and error_description',
        headers: { Location: { required: true, schema: { type: 'string' } } },
      },
      '4XX': { description: 'A page that says what is wrong', content: html },
    },
  };
}

const html = { 'text/html': { schema: { type: 'string' } } };

function tokenOperation(
  operationId: string,
  summary: string,
  content: JsonObject,
  components: Components,
): JsonObject {
  const error = {
    type: 'object',
    required: ['error'],
    properties: { error: { type: 'string' }, error_description: { type: 'string' } },
  };
  return {
    operationId,
    summary,
    tags: [authorizationTag],
    'x-evidence': 'stated',
    security: [],
    requestBody: { required: true, content },
    responses: {
      '2XX': {
        description: 'An access token, and the refresh token that takes the place of the old one',
        content: { 'application/json': { schema: components.translate(tokenResponse, 'received') } },
      },
      '4XX': {
        description: 'An error of RFC 6749, 5.2',
        content: { 'application/json': { schema: error } },
        'x-assumed': ['token-endpoint-errors'],
      },
    },
  };
}
