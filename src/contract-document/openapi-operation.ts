// Describes an operation: its parameters in the path, the query or the body, its scopes and its responses.

import { isJsonObject } from '#contract/json.ts';
import { fileNameHeader, type Operation, type PathParameter, pathParametersOf } from '#contract/operation.ts';
import { showsScopes } from '#contract/operations.ts';
import { comesInPages, pageParameters } from '#contract/page-parameters.ts';
import type { Parameter, Parameters } from '#contract/parameter.ts';
import type { Schema } from '#contract/schema.ts';
import { errorReferences } from './error-responses.ts';
import { beside, type Components, type JsonObject } from './json-schema.ts';

export const formType = 'application/x-www-form-urlencoded';
const jsonType = 'application/json';

/** `idNames`: the names of the ids in the document's path, in order. */
export function toOperation(
  name: string,
  operation: Operation,
  components: Components,
  idNames: readonly string[],
): JsonObject {
  const { assumption, evidence, kind, path, scopes } = operation;
  const ids = Object.values(pathParametersOf(path)).map((row, index) =>
    toPathParameter(idNames[index] ?? '', row, components),
  );
  const assumed = [
    ...(assumption === undefined ? [] : [assumption]),
    ...(showsScopes(name) ? [] : [kind === 'auditLog' ? 'audit-log-scopes' : 'operation-scopes']),
  ];
  const success = successResponse(name, operation, components);
  return {
    operationId: name,
    summary: toSentence(name),
    tags: [kind],
    'x-evidence': evidence,
    ...(assumed.length === 0 ? {} : { 'x-assumed': assumed }),
    security: [...scopes.map((scope) => ({ oauth2: [scope] })), { bearer: [] }, { accessToken: [] }],
    parameters: [...ids, ...otherParameters(name, operation, components)],
    ...requestBody(operation, components),
    // With 2XX alone, some generators make every response void.
    responses: { '200': success, '2XX': success, ...errorReferences() },
  };
}

/** `createTaskComment` becomes `Create task comment`. */
function toSentence(name: string): string {
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function toPathParameter(
  name: string,
  { schema, maxIds, assumption }: PathParameter,
  components: Components,
): JsonObject {
  const idSchema = components.translate(schema, 'sent');
  const idList = { type: 'array', items: idSchema, minItems: 1, maxItems: maxIds ?? 1 };
  return {
    name,
    in: 'path',
    required: true,
    ...(assumption === undefined ? {} : { 'x-assumed': [assumption] }),
    ...(maxIds === undefined ? { schema: idSchema } : { style: 'simple', schema: idList }),
  };
}

/** Adds the rules that a schema cannot express. */
const describe = ({ meaning, rules }: Parameter<unknown>): string =>
  rules === undefined ? meaning : `${meaning}. ${rules}`;

/** Describes a query parameter. JSON is a string: with `content`, many generators would send each member as a parameter. */
export function toParameter(name: string, row: Parameter<unknown>, components: Components): JsonObject {
  const schema = components.translate(row.schema, 'sent');
  const isJson = row.schema.wireFormat === 'json';
  return {
    name,
    in: 'query',
    description: isJson ? `${describe(row).replace(/\.$/, '')}. JSON: ${toWords(schema)}.` : describe(row),
    ...(row.required ? { required: true } : {}),
    ...(row.deprecated ? { deprecated: true } : {}),
    ...(mayBeEmpty(row.schema) ? { allowEmptyValue: true } : {}),
    schema: isJson ? { type: 'string', minLength: 1, 'x-contentSchema': schema } : schema,
  };
}

/** `a list of FolderId`: names a schema for readers. */
function toWords(schema: JsonObject): string {
  const { $ref: reference, items, enum: choices } = schema;
  if (isJsonObject(items)) return `a list of ${toWords(items)}`;
  if (typeof reference === 'string') return reference.replace(/^.*\//, '');
  return Array.isArray(choices) ? choices.join(', ') : String(schema['type']);
}

/** Whether an empty text is allowed, as in `description=`. */
function mayBeEmpty({ form }: Schema<unknown>): boolean {
  return form?.kind === 'text' && !form.rules.notEmpty && (form.rules.pattern?.regex.test('') ?? true);
}

/** A list that the contract shows completely has no pages: with --strict, the emulator rejects their parameters. */
const hasPages = (name: string, operation: Operation): boolean =>
  comesInPages(name, operation) && operation.evidence !== 'stated';

function otherParameters(name: string, operation: Operation, components: Components): readonly JsonObject[] {
  const { parameters, parametersIn, takesFile } = operation;
  const queryParameters = parametersIn === 'query' && !takesFile ? Object.entries(parameters) : [];
  const pages = hasPages(name, operation) ? Object.entries<Parameter<unknown>>(pageParameters) : [];
  return [
    ...queryParameters.map(([parameter, row]) => toParameter(parameter, row, components)),
    ...pages.map(([parameter, row]) => ({
      ...toParameter(parameter, row, components),
      'x-assumed': ['list-pages'],
    })),
    ...(takesFile ? [fileName] : []),
    { $ref: '#/components/parameters/state' },
  ];
}

const fileName: JsonObject = {
  name: fileNameHeader,
  in: 'header',
  required: true,
  description: 'The name of the file, percent-encoded',
  schema: { type: 'string', minLength: 1 },
};

function requestBody(operation: Operation, components: Components): JsonObject {
  const { parameters, parametersIn, evidence, takesFile } = operation;
  const [file] = Object.values(parameters);
  if (takesFile && file) {
    const schema = components.translate(file.schema, 'sent');
    return { requestBody: { required: true, content: { 'application/octet-stream': { schema } } } };
  }
  if (parametersIn === 'query') return {};
  // An operation that the contract shows takes both kinds of body.
  const json = evidence === 'stated' ? { [jsonType]: { schema: toFormSchema(parameters, components) } } : {};
  // JSON first: many generators use the first one.
  const content = { ...json, [formType]: toForm(parameters, components) };
  return { requestBody: { required: requiredNames(parameters).length > 0, content } };
}

export function toForm(parameters: Parameters, components: Components): JsonObject {
  const jsonRows = Object.entries(parameters).filter(([, { schema }]) => schema.wireFormat === 'json');
  const schema = toFormSchema(parameters, components);
  if (jsonRows.length === 0) return { schema };
  return {
    schema,
    encoding: Object.fromEntries(jsonRows.map(([name]) => [name, { contentType: jsonType }])),
  };
}

function requiredNames(rows: Parameters): readonly string[] {
  return Object.keys(rows).filter((name) => rows[name]?.required);
}

export function toFormSchema(parameters: Parameters, components: Components): JsonObject {
  const rows = Object.entries(parameters);
  const required = requiredNames(parameters);
  return {
    type: 'object',
    ...(required.length === 0 ? {} : { required }),
    properties: Object.fromEntries(rows.map(([name, row]) => [name, toProperty(row, components)])),
    additionalProperties: false,
  };
}

function toProperty(row: Parameter<unknown>, components: Components): JsonObject {
  const { schema, secret, deprecated, default: omitted } = row;
  return beside(components.translate(schema, 'sent'), {
    description: describe(row),
    ...(omitted === undefined ? {} : { default: omitted }),
    ...(secret ? { format: 'password' } : {}),
    ...(deprecated ? { deprecated: true } : {}),
  });
}

const bytes = { schema: { type: 'string', format: 'binary' } };

function successResponse(name: string, operation: Operation, components: Components): JsonObject {
  const { kind, alsoKind, record, returnsFile } = operation;
  if (returnsFile) return { description: 'The bytes of the file', content: { '*/*': bytes } };
  const pages = {
    nextPageToken: {
      ...components.translate(pageParameters.nextPageToken.schema, 'received'),
      'x-assumed': ['list-pages'],
    },
    responseSize: { type: 'integer', 'x-assumed': ['list-pages'] },
  };
  const schema = {
    type: 'object',
    required: ['kind', 'data'],
    properties: {
      kind: { type: 'string', enum: [kind, ...(alsoKind === undefined ? [] : [alsoKind])] },
      data: { type: 'array', items: components.translate(record, 'received') },
      state: { type: 'string', description: 'The state of the request', 'x-assumed': ['state-echo'] },
      ...(hasPages(name, operation) ? pages : {}),
    },
  };
  return { description: `Records of the kind ${kind}`, content: { [jsonType]: { schema } } };
}
