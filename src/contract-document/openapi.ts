// Describes the contract as an OpenAPI 3.0.1 document, for programs that generate clients, validate requests or compare services.
// Generated from the rows of contract/; `x-assumed` marks what is assumed.

import { assumptions } from '#contract/assumption.ts';
import { apiPath, authorize, convert, token, tokenResponse } from '#contract/authorization.ts';
import { type Operation, pathParametersOf } from '#contract/operation.ts';
import { operations } from '#contract/operations.ts';
import { otherOperations } from '#contract/other-operation.ts';
import { commonParameters, type Parameters } from '#contract/parameter.ts';
import { scopes } from '#contract/scope.ts';
import { errorResponses } from './error-responses.ts';
import { assumptionsNote, Components, type JsonObject } from './json-schema.ts';
import { formType, toForm, toFormSchema, toOperation, toParameter } from './openapi-operation.ts';

/** The service's hosts. The contract names none: the host of an account comes with its token. */
interface Servers {
  /** The URL before `/oauth2/...`. */
  readonly authUrl: string;
  readonly api: readonly { readonly url: string; readonly description: string }[];
}

/** This top-level domain never resolves (RFC 2606): users of the document insert the host of their token. */
const unknownHost = 'host-of-your-token.invalid';

const description = `The contract of a work-management service, as wm knows it.

${assumptionsNote} \`x-evidence\` of an
operation is \`stated\` if the contract shows it, \`named\` if the contract only names it, and \`assumed\` otherwise.

A query parameter with \`x-contentSchema\` is a text that contains JSON of that schema, as \`contentSchema\` says in OpenAPI 3.1. A client
that can only send GET adds \`method=PUT\` (or POST, DELETE) to the query. Ids are opaque. Clients must accept members and values that are not listed here:
the service adds some without a new version.`;

export function createOpenApi(servers?: Servers): JsonObject {
  const components = new Components('openapi-3.0');
  const { authUrl, api } = servers ?? { authUrl: `https://${unknownHost}`, api: [unknownServer] };
  // First, because the paths create the components.
  const paths = { ...operationPaths(components), ...authorizationPaths(components, authUrl) };
  return {
    openapi: '3.0.1',
    info: {
      title: 'Work-management service API',
      version: '4.0',
      description,
      license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
    },
    servers: api,
    tags: [
      ...tagNames.map((name) => ({ name, description: `Operations that respond with the kind ${name}` })),
      { name: authorizationTag, description: 'OAuth 2.0' },
    ],
    paths,
    components: {
      schemas: components.schemas,
      parameters: { state: toParameter('state', commonParameters.state, components) },
      responses: errorResponses(),
      securitySchemes: securitySchemes(authUrl),
    },
    'x-assumptions': Object.fromEntries(assumptions.map(({ id, ...row }) => [id, { ...row }])),
  };
}

const unknownServer = {
  url: `https://{host}${apiPath}`,
  description: 'The data centre of the account: in the US, in the EU, or the second one in the US',
  variables: { host: { default: unknownHost, description: 'The host that the token endpoint names' } },
};

function securitySchemes(authUrl: string): JsonObject {
  const flow = {
    authorizationUrl: `${authUrl}${authorize.path}`,
    tokenUrl: `${authUrl}${token.path}`,
    refreshUrl: `${authUrl}${token.path}`,
    scopes: Object.fromEntries(scopes.map((name) => [name, `The scope ${name}`])),
  };
  return {
    oauth2: {
      type: 'oauth2',
      description: 'Scopes are separated by commas. A token refreshes at the host that came with it.',
      flows: { authorizationCode: flow },
    },
    bearer: { type: 'http', scheme: 'bearer', description: 'A permanent token, which has no scopes' },
    accessToken: {
      type: 'apiKey',
      in: 'query',
      name: 'access_token',
      description: commonParameters.access_token.meaning,
    },
  };
}

const rows: readonly (readonly [string, Operation])[] = Object.entries<Operation>({
  ...operations,
  ...otherOperations,
});

const tagNames = [...new Set(rows.map(([, { kind }]) => kind))].sort();

function operationPaths(components: Components): JsonObject {
  const paths = new Map<string, Record<string, JsonObject>>();
  for (const [name, operation] of rows) {
    const path = templateOf(operation.path);
    const idNames = Object.keys(pathParametersOf(path));
    const method = operation.method.toLowerCase();
    // One that takes several ids has no place beside the one that takes a single id.
    if (paths.get(path)?.[method] !== undefined) continue;
    paths.set(path, { ...paths.get(path), [method]: toOperation(name, operation, components, idNames) });
  }
  return Object.fromEntries(paths);
}

/** Returns the same path with single ids, if an operation has it: `/tasks/{taskId}` for `/tasks/{taskIds}`. */
function templateOf(listed: string): string {
  const anonymous = (path: string) => path.replace(/\{[^}]*\}/g, '{}');
  const match = rows.find(
    ([, { path }]) =>
      anonymous(path) === anonymous(listed) &&
      Object.values(pathParametersOf(path)).every(({ maxIds }) => maxIds === undefined),
  );
  return match?.[1].path ?? listed;
}

const authorizationTag = 'authorization';

function authorizationPaths(components: Components, authUrl: string): JsonObject {
  const servers = [{ url: authUrl, description: 'Where users sign in' }];
  const grants = Object.entries<Parameters>(token.grants).map(([name, parameters]) => {
    // AuthorizationCodeGrant
    const words = name.replace(/(?:^|_)(.)/g, (_, first: string) => first.toUpperCase());
    return components.reference(`${words}Grant`, parameters, () => toFormSchema(parameters, components));
  });
  const form = { schema: { oneOf: grants } };
  const exchange = (id: string, summary: string, body: JsonObject) => ({
    servers,
    post: tokenOperation(id, summary, { [formType]: body }, components),
  });
  const conversion = 'Exchange a refresh token of version 3 for tokens of version 4';
  return {
    [authorize.path]: { servers, get: consent(components) },
    [token.path]: exchange('requestToken', 'Exchange a code or a refresh token for tokens', form),
    [convert.path]: exchange('convertToken', conversion, toForm(convert.parameters, components)),
  };
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
      '4XX': {
        description: 'A page that says what is wrong',
        content: html,
        'x-assumed': ['authorization-errors'],
      },
    },
  };
}

const html = { 'text/html': { schema: { type: 'string' } } };

function tokenOperation(operationId: string, summary: string, content: JsonObject, components: Components) {
  const error = {
    type: 'object',
    required: ['error'],
    properties: { error: { type: 'string' }, error_description: { type: 'string' } },
  };
  const success = {
    description: 'An access token, and the refresh token that replaces the old one',
    content: { 'application/json': { schema: components.translate(tokenResponse, 'received') } },
    ...(operationId === 'requestToken' ? { 'x-assumed': ['refresh-response'] } : {}),
  };
  return {
    operationId,
    summary,
    tags: [authorizationTag],
    'x-evidence': 'stated',
    security: [],
    requestBody: { required: true, content },
    responses: {
      '200': success,
      '2XX': success,
      '4XX': {
        description: 'An error of RFC 6749, 5.2',
        content: { 'application/json': { schema: error } },
        'x-assumed': ['token-endpoint-errors'],
      },
    },
  };
}
