// Two fuzzers send what the document allows to a strict emulator, for every operation: one makes values with json-schema-faker, which
// others wrote, the other with fast-check. The validating proxy may object to nothing, in either direction, no response may be a
// 5xx, and a rejection must have a reason that a schema cannot say. fast-check also breaks one value of each request.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import fc from 'fast-check';
import type { Described } from '../contract-document/described.ts';
import { emulated } from '../support/program/emulated.ts';
import { folder, print } from './tools.ts';
import { validatingProxy } from './validating-proxy.ts';

/** What the document says in words alone, or cannot know: what there is, and what fits together. */
const reasons: readonly RegExp[] = [
  /^(access_forbidden|not_allowed|resource_not_found)/,
  /'nextPageToken' value is invalid: no response named this page of this list$/,
  /'customFields?' value is invalid: /,
  / is the root$| is the recycle bin$| is the folder itself or one of those below it$|The root cannot be copied$/,
  / is in the recycle bin already$| is not in the recycle bin$/,
  /'settings' value is invalid: values and options differ$/,
  /'profile' value is invalid: it is of another account, or of a robot$/,
  /an allocation needs either a userId or a placeholderId$/,
  /^invalid_parameter: Parameter 'priority(Before|After)'/,
  /"(recurrent|customFields)" is not a filter of \w+, which takes/,
  /'type' value is invalid: .* is not one of Person, Group, Robot$/,
  /^parameter_required: Parameter 'predecessorId' or 'successorId' is required$/,
  /^parameter_required: Parameter '(hours|trackedDate)' is required$/,
  /: a copy in the emulator keeps its dates and custom statuses$/,
  /"\d{4}-\d\d-\d\d(T[\d:]{8})?" is not a date in the calendar$/,
  /'dates' value is invalid: /,
  /is not a (category|custom item type|custom field|group|placeholder|custom status|work schedule) of this account/,
  /'hookUrl' value is invalid: could not verify the secret: /,
  /^invalid_parameter: Parameter 'removeParents' value is invalid: the folder would be nowhere$/,
];

interface Request {
  readonly method: string;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  readonly json?: unknown;
  readonly form?: Readonly<Record<string, string>>;
}

/** Makes values of schemas. */
interface Source {
  value(schema: Described): unknown;
  isGiven(): boolean;
  /** Also sends each request with one value that the document does not allow. */
  readonly breaks?: true;
}

/** Also encodes what is reserved in OpenAPI, and not in a form. */
const encoded = (query: Readonly<Record<string, string>>): string =>
  Object.entries(query)
    .map(
      ([name, text]) =>
        `${name}=${encodeURIComponent(text).replace(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16)}`)}`,
    )
    .join('&');

async function started(context: TestContext) {
  const { emulator } = await emulated(context, { mode: 'strict' });
  const document: Described = await (await fetch(`${emulator.authUrl}/openapi.json`)).json();
  // The generators hold up the process so long that a kept connection may be closed unnoticed.
  const headers = { Authorization: `Bearer ${emulator.token}`, Connection: 'close' };
  const get = async (path: string): Promise<Described[]> => {
    const body: Described = await (await fetch(`${emulator.authUrl}/api/v4${path}`, { headers })).json();
    return body.data;
  };
  const ids = async (path: string) => (await get(path)).map(({ id }) => id);
  const known: Record<string, readonly string[]> = {
    TaskId: await ids('/tasks'),
    FolderId: await ids('/folders'),
    UserId: await ids('/contacts'),
    CustomFieldId: await ids('/customfields'),
    WorkflowId: await ids('/workflows'),
    CustomStatusId: (await get('/workflows')).flatMap(({ customStatuses }) =>
      customStatuses.map(({ id }: Described) => id),
    ),
  };
  const proxy = await validatingProxy(context, document, emulator.authUrl);
  const send = (base: string, { method, path, query, json, form }: Request) =>
    fetch(`${base}/api/v4${path}?${encoded(query)}`, {
      method,
      headers: json === undefined ? headers : { ...headers, 'Content-Type': 'application/json' },
      ...(json === undefined ? {} : { body: JSON.stringify(json) }),
      ...(form === undefined ? {} : { body: new URLSearchParams(form) }),
    });
  return { emulator, document, proxy, known, send };
}

/** The schema without references, as JSON Schema 2020-12 has it; an id is one of those that there are. */
function plain(
  document: Described,
  schema: Described,
  known: Readonly<Record<string, readonly string[]>>,
): Described {
  const { $ref: reference, allOf, nullable, exclusiveMaximum, ...own } = schema;
  if (allOf !== undefined) return plain(document, allOf[0], known);
  if (reference !== undefined) {
    const name: string = reference.split('/').at(-1);
    const ids = known[name];
    if (ids !== undefined) return { type: 'string', enum: ids };
    const target = document.components.schemas[name];
    // A path can contain only some texts.
    if (/Id$/.test(name) && target.pattern === undefined)
      return { type: 'string', pattern: '^[A-Z0-9]{16}$' };
    return plain(document, target, known);
  }
  const deeper = (one: Described) => plain(document, one, known);
  const result: Described = { ...own };
  // A query has to fit into a request line.
  if (own.maxLength > 100) result.maxLength = 100;
  if (own.items) result.items = deeper(own.items);
  if (own.properties)
    result.properties = Object.fromEntries(
      Object.entries<Described>(own.properties).map(([name, one]) => [name, deeper(one)]),
    );
  if (exclusiveMaximum) {
    result.exclusiveMaximum = own.maximum;
    delete result.maximum;
  }
  return nullable ? { anyOf: [result, { type: 'null' }] } : result;
}

const formType = 'application/x-www-form-urlencoded';

function toText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

function createRequest(
  document: Described,
  known: Readonly<Record<string, readonly string[]>>,
  [path, method, operation]: readonly [string, string, Described],
  { value, isGiven }: Source,
): Request {
  const schemaOf = (schema: Described) => plain(document, schema, known);
  const query: Record<string, string> = {};
  let target = path;
  for (const given of operation.parameters) {
    const { name, in: place, required, schema } = given.$ref ? document.components.parameters.state : given;
    if (!required && !isGiven()) continue;
    const made = value(schemaOf(schema['x-contentSchema'] ?? schema));
    if (place === 'path')
      target = target.replace(
        `{${name}}`,
        [made]
          .flat()
          .map((one) => encodeURIComponent(String(one)))
          .join(','),
      );
    else if (place === 'query')
      query[name] = schema['x-contentSchema'] === undefined ? toText(made) : JSON.stringify(made);
  }
  const content = operation.requestBody?.content;
  const kinds = content === undefined ? [] : [formType, 'application/json'].filter((type) => content[type]);
  if (kinds.length === 0) return { method, path: target, query };
  const type = kinds.length === 2 && isGiven() ? 'application/json' : formType;
  const { schema, encoding = {} } = content[type];
  const body: Record<string, unknown> = {};
  for (const [name, one] of Object.entries<Described>(schema.properties))
    if (name === 'hookUrl') body[name] = 'https://example.com/hook';
    else if (schema.required?.includes(name) || isGiven()) body[name] = value(schemaOf(one));
  if (type !== formType) return { method, path: target, query, json: body };
  const form = Object.fromEntries(
    Object.entries(body).map(([name, one]) => [name, encoding[name] ? JSON.stringify(one) : toText(one)]),
  );
  return { method, path: target, query, form };
}

function operationsOf(document: Described): (readonly [string, string, Described])[] {
  return Object.entries<Described>(document.paths)
    .filter(([, { servers }]) => servers === undefined)
    .flatMap(([path, item]) =>
      Object.entries<Described>(item).map(([method, one]) => [path, method.toUpperCase(), one] as const),
    )
    .filter(([, , { requestBody }]) => requestBody?.content['application/octet-stream'] === undefined);
}

/** The request once for each query parameter, with a text in it that its schema does not allow. */
function breakValues({ parameters }: Described, request: Request): readonly Request[] {
  return parameters.flatMap(({ name, in: place, schema }: Described) => {
    if (place !== 'query') return [];
    const { type, enum: choices, 'x-contentSchema': json } = schema;
    const isClosed =
      json !== undefined || choices !== undefined || ['boolean', 'integer', 'number'].includes(type);
    return isClosed ? [{ ...request, query: { ...request.query, [name]: '{"no":' } }] : [];
  });
}

async function fuzz(context: TestContext, name: string, rounds: number, source: Source) {
  const { emulator, document, proxy, known, send } = await started(context);
  const statuses: Record<string, number> = {};
  const unexplained: string[] = [];
  const loose: string[] = [];
  let broken = 0;
  for (let round = 0; round < rounds; round++)
    for (const operation of operationsOf(document)) {
      const request = createRequest(document, known, operation, source);
      if (source.breaks) {
        // Past the proxy, which would reject it too.
        for (const one of breakValues(operation[2], request)) {
          const { status } = await send(emulator.authUrl, one);
          broken++;
          if (status < 400 || status >= 500) loose.push(`${status} to ${JSON.stringify(one)}`);
        }
      }
      const response = await send(`http://${proxy.host}`, request);
      statuses[response.status] = (statuses[response.status] ?? 0) + 1;
      const text = await response.text();
      if (response.status < 400) continue;
      const { error = '', errorDescription = text } = response.headers.get('content-type')?.includes('json')
        ? JSON.parse(text)
        : {};
      const said = `${error}: ${errorDescription}`;
      if (response.status >= 500 || !reasons.some((reason) => reason.test(said)))
        unexplained.push(`${operation[2].operationId}: ${said.slice(0, 300)}`);
    }
  assert.deepEqual(proxy.violations, []);
  assert.deepEqual(unexplained, []);
  assert.deepEqual(loose, []);
  assert.equal(proxy.operations.size, operationsOf(document).length);
  print(
    `${name}: ${proxy.responses} requests, ${JSON.stringify(statuses)}; ${broken} broken ones, all rejected`,
  );
}

const seed = Number(process.env['TEST_SEED']);

test('json-schema-faker: accepts what the document allows, with responses as documented', async (context) => {
  const place = `${folder}/node_modules/json-schema-faker`;
  // It exports only to import, and so is not found by `load`.
  const { createGeneratorSync } = await import(pathToFileURL(`${place}/dist/index.js`).href);
  const { version } = JSON.parse(await readFile(`${place}/package.json`, 'utf8'));
  const generator = createGeneratorSync({ seed, maxDefaultItems: 3, optionalsProbability: 0.5 });
  await fuzz(context, `json-schema-faker ${version}`, 3, {
    value: (schema) => generator.generate(schema),
    isGiven: () => generator.generate({ type: 'boolean' }),
  });
});

function arbitrary({ type, enum: choices, anyOf, pattern, ...rules }: Described): fc.Arbitrary<unknown> {
  if (choices !== undefined) return fc.constantFrom(...choices);
  if (anyOf !== undefined) return fc.oneof(...anyOf.map(arbitrary));
  const { minLength = 0, maxLength = 100, minItems = 0, maxItems = 3 } = rules;
  const { minimum, maximum, exclusiveMaximum, items, properties = {}, required = [] } = rules;
  const range = {
    min: minimum ?? -1e6,
    max: exclusiveMaximum === undefined ? (maximum ?? 1e6) : exclusiveMaximum - 1,
  };
  switch (type) {
    case 'string':
      return pattern === undefined
        ? fc
            .string({ unit: 'grapheme', minLength, maxLength: Math.min(maxLength, 60) })
            .filter((text) => [...text].length <= maxLength)
        : fc
            .stringMatching(new RegExp(pattern))
            .filter((text) => text.length >= minLength && text.length <= maxLength);
    case 'integer':
      return fc.integer(range);
    case 'number':
      // In a form, the emulator reads no exponents.
      return fc.integer(range).map((one) => one / 4);
    case 'boolean':
      return fc.boolean();
    case 'null':
      return fc.constant(null);
    case 'array':
      return fc.array(arbitrary(items), { minLength: minItems, maxLength: Math.min(maxItems, 3) });
    case 'object':
      return fc.record(
        Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, arbitrary(one)])),
        { requiredKeys: required, noNullPrototype: true },
      );
    default:
      return fc.constantFrom({}, { any: 1 });
  }
}

test('fast-check: the same, and rejects what the document does not allow', async (context) => {
  let at = seed;
  const sample = <T>(of: fc.Arbitrary<T>): T => {
    const [one] = fc.sample(of, { numRuns: 1, seed: at++ });
    return one as T;
  };
  await fuzz(context, `fast-check ${fc.__version}`, 2, {
    value: (schema) => sample(arbitrary(schema)),
    isGiven: () => sample(fc.boolean()),
    breaks: true,
  });
});
