// `wm api`: sends any request to the service, with the sign-in, retries and guards of all other commands.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { readFileValue, readInput } from '#cli/file-value.ts';
import { booleanFlag, type Flag, textFlag } from '#cli/flags/flag.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { assertInputReadOnce } from '#cli/parse-values.ts';
import { createWireFormatter, printDryRun } from '#cli/send.ts';
import { createLoopCheck } from '#client/follow-pages.ts';
import { tunnelsMethod } from '#client/read-only-session.ts';
import { encodePairs } from '#client/request.ts';
import { parseJsonObject, readNextPageToken } from '#client/response.ts';
import type { RawRequest, RawResponse } from '#client/session.ts';
import type { JsonObject } from '#contract/json.ts';
import type { Method } from '#contract/operation.ts';
import { Failure, usageError } from '#failure.ts';
import type { HttpResponse } from '#world/world.ts';
import { isFilePath, isTokenName, parseApiPath, plainNames, queryNames, tokenReason } from './api-path.ts';

const maxInputBytes = 32 * 1024 * 1024;
const methods: readonly Method[] = ['GET', 'POST', 'PUT', 'DELETE'];

const pairsFlag = (help: string, short: string): Flag<readonly string[]> => ({
  help,
  placeholder: 'KEY=VALUE',
  short,
  repeats: true,
  parse: (text) => text,
});

export default command({
  changes: 'the service',
  mayOnlyRead: true,
  examples: {
    'Read a record': 'wm api GET /contacts -f me=true',
    'List only the names of all folders': "wm api GET /folders --paginate --jq '.[].title'",
    'Change a record without a prompt': 'wm api PUT /tasks/IEAAAAAQKQAB5BNG -f status=Completed --yes',
  },
  details: `PATH is a path below /api/v4, with or without that prefix. A whole URL, .., // and the parameter access_token are invalid, because
they could send the token elsewhere. GET and DELETE send the parameters in the query, and so does PUT unless the query would be too
long. POST sends them as a form. With --body, all methods send them in the query.

PUT and DELETE ask for confirmation on a terminal, and need --yes elsewhere. In a pipe, wm prints the response as it arrived. It
prints an error like a response, and ends with the exit status that the error has in other commands.

With --json --paginate, wm prints the records of all pages as one array; without --json, one page after the other.`,
  arguments: {
    method: { help: 'the method: GET, POST, PUT or DELETE', choices: methods },
    path: { help: 'the path below /api/v4, such as /tasks' },
  },
  flags: {
    rawField: pairsFlag('Send this parameter unchanged', 'f'),
    field: pairsFlag('Send this parameter; @FILE reads its value from a file, - from standard input', 'F'),
    body: {
      ...textFlag('FILE', 'Send this file as the body; - is standard input (also: --input)'),
      alias: 'input',
      readsInput: true,
    },
    paginate: booleanFlag('Request all pages of a list'),
    state: textFlag('TEXT', 'Have the service return this text with its response'),
    methodTunnel: booleanFlag('Send a GET that names the method, for a network that blocks others'),
    include: booleanFlag('Print the status and the headers first', { short: 'i' }),
  },
  sendsRequests: true,
  async run({ arguments: { method, path }, flags }, context) {
    const { rawField = [], field = [], body, paginate = false, state, methodTunnel = false } = flags;
    assertInputReadOnce([body, ...field.map((pair) => splitPair(pair, '-F')[1])]);
    const request = buildRawRequest(context, {
      method,
      path,
      pairs: [
        ...rawField.map((pair) => splitPair(pair, '-f')),
        ...(await readPairs(context, field)),
        ...(state === undefined ? [] : [['state', state] as const]),
      ],
      body: body === undefined ? undefined : await readInput(context.world, body, '--body', maxInputBytes),
      methodTunnel,
    });
    if (paginate && request.effect !== 'GET')
      throw usageError('--paginate needs GET', 'Leave --paginate out, or read a list with GET.');
    if (context.isDryRun) return void (await printRequest(context, request));
    if (request.effect !== 'GET') await context.assertMayChange();
    if (request.effect === 'PUT' || request.effect === 'DELETE')
      await context.confirm(`Send ${request.effect} ${request.target.split('?')[0]}?`);
    if (paginate && context.report.wantsJson) return void (await printRecords(context, request));
    for await (const page of sendPages(context, request, paginate)) {
      if (flags.include) await printHead(context, page.response);
      if (!paginate || !page.failure) await printBody(context, page);
      if (page.failure) throw page.failure;
    }
  },
});

/** The ids that end the path, or none, if the path is an operation of the contract. */
async function findIds({ effect, target }: RawRequest): Promise<readonly string[] | undefined> {
  const { operations } = await import('#contract/operations.ts');
  const { otherOperations } = await import('#contract/other-operation.ts');
  const [path = ''] = target.split('?');
  const row = Object.values({ ...operations, ...otherOperations }).find(
    (row) => row.method === effect && new RegExp(`^${row.path.replace(/\{\w+\}/g, '[^/]+')}$`).test(path),
  );
  const last = path.slice(path.lastIndexOf('/') + 1);
  return row && (row.path.endsWith('}') && !last.includes('%') ? last.split(',') : []);
}

function splitPair(text: string, flag: string): readonly [string, string] {
  const separator = text.indexOf('=');
  if (separator > 0) return [text.slice(0, separator), text.slice(separator + 1)];
  throw usageError(`${flag} needs KEY=VALUE`, `For example: ${flag} title=Launch`);
}

async function readPairs({ world }: Context, pairTexts: readonly string[]) {
  const pairs: (readonly [string, string])[] = [];
  for (const text of pairTexts) {
    const [name, value] = splitPair(text, '-F');
    pairs.push([name, await readFileValue(world, value, `-F ${name}`)]);
  }
  return pairs;
}

async function printRequest(context: Context, { body, effect: _, ...request }: RawRequest): Promise<void> {
  const text = typeof body === 'string' || body === undefined ? body : decodeBody(body);
  const format = await createWireFormatter(context);
  await printDryRun(context, [format(text === undefined ? request : { ...request, body: text })]);
}

function decodeBody(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw usageError('--body is not text, so it cannot be shown', 'Leave --dry-run and --curl out.');
  }
}

/** Yields one response, or one for each page of a list. */
async function* sendPages(context: Context, request: RawRequest, paginate: boolean) {
  const session = await context.session();
  const ids = await findIds(request);
  const loop = createLoopCheck();
  let token: string | undefined;
  let emptyPage: (RawResponse & { readonly data: readonly JsonObject[] }) | undefined;
  let hasPage = false;
  for (;;) {
    const join = request.target.includes('?') ? '&' : '?';
    const target =
      token === undefined
        ? request.target
        : `${request.target}${join}nextPageToken=${encodeURIComponent(token)}`;
    const returnsFile = !paginate && isFilePath(target);
    const exchange = await session.sendRaw({ ...request, target, returnsFile, ids });
    const body =
      paginate && !exchange.failure ? parseJsonObject(exchange.response, { exactNumbers: true }) : undefined;
    const data = Array.isArray(body?.['data']) ? body['data'] : [];
    const nextToken = body && readNextPageToken(body, exchange.response);
    loop.assertNewPage(data);
    // The service may reject the token of an empty page: then that page was the last.
    const isAfterLast = exchange.failure?.code === 'rejected';
    const page = (isAfterLast && emptyPage) || { ...exchange, data };
    // Skip an empty page, unless it is the only one.
    if (page.data.length > 0 || page.failure || (nextToken === undefined && !hasPage)) yield page;
    if (nextToken === undefined) return;
    hasPage ||= data.length > 0;
    emptyPage = data.length === 0 ? page : undefined;
    loop.assertNewToken(nextToken);
    token = nextToken;
  }
}

/** Prints an array that grows with each page, so that the whole list never has to fit in memory. */
async function printRecords(context: Context, request: RawRequest): Promise<void> {
  async function* parts() {
    for await (const { failure, data } of sendPages(context, request, true)) {
      if (failure) throw failure;
      yield { columns: [], records: [], raw: data };
    }
  }
  await context.report.parts(parts());
}

/** Servers and proxies reject longer URLs. */
const maxTargetLength = 6_900;

interface ApiInput {
  readonly method: string;
  readonly path: string;
  readonly pairs: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array | undefined;
  readonly methodTunnel: boolean;
}

/** Throws a usage failure for invalid arguments. */
function buildRawRequest(context: Context, { path, pairs, body, methodTunnel, ...input }: ApiInput) {
  const method = parseMethod(input.method);
  const target = parseApiPath(path);
  for (const [name] of pairs)
    if (isTokenName(name))
      throw usageError(`-f ${name}: this parameter is not allowed`, undefined, tokenReason);
  const names = [...pairs.map(([name]) => name), ...queryNames(target)];
  if (tunnelsMethod(names.flatMap(plainNames)))
    throw usageError(
      'The parameter method is for --method-tunnel',
      `Leave it out, and give the method directly: ${formatCommandWith(context, 'api', directMethod(path, pairs), '--method-tunnel')}`,
    );
  if (methodTunnel && body)
    throw usageError('--method-tunnel sends a GET, which has no body', 'Give the values with -f KEY=VALUE.');
  if (method === 'GET' && body)
    throw usageError(
      '--body needs a method with a body',
      `For example: ${formatCommandWith(context, 'api', ['POST', path], '--body', 'FILE')}`,
    );
  const tunneled = methodTunnel && method !== 'GET' ? [['method', method] as const, ...pairs] : pairs;
  const encoded = encodePairs(tunneled);
  const join = target.includes('?') ? '&' : '?';
  const fullTarget = encoded === '' ? target : `${target}${join}${encoded}`;
  if (body !== undefined) {
    const headers = { 'content-type': contentType(body) };
    return { method, target: fullTarget, headers, body, effect: method };
  }
  // Like wm's own operations: use a form only for a POST, or if the URL would be too long.
  const needsForm = method === 'POST' || (method === 'PUT' && fullTarget.length > maxTargetLength);
  if (!needsForm || methodTunnel || encoded === '')
    return { method: methodTunnel ? 'GET' : method, target: fullTarget, headers: {}, effect: method };
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { method, target, headers, body: encoded, effect: method };
}

/** The method that a parameter names, or else PUT, and the path without its query. */
function directMethod(typedPath: string, pairs: ApiInput['pairs']): readonly [Method, string] {
  const [path = '', query] = typedPath.split('?', 2);
  const named = [...pairs, ...new URLSearchParams(query)].find(([name]) => name.toLowerCase() === 'method');
  return [methods.find((method) => method === named?.[1].toUpperCase()) ?? 'PUT', path];
}

function parseMethod(text: string): Method {
  const method = methods.find((method) => method === text.toUpperCase());
  if (method) return method;
  throw usageError(
    `${JSON.stringify(text)} is not a method of the service`,
    `Use one of ${methods.join(', ')}; for example: wm api GET /tasks`,
  );
}

/** Guesses the type by the beginning of the body: an upload may be anything but JSON. */
function contentType(body: Uint8Array): string {
  const start = new TextDecoder().decode(body.subarray(0, 100)).trimStart();
  return /^[[{]/.test(start) ? 'application/json' : 'application/octet-stream';
}

/** Headers that may contain a secret. */
const secretHeader = /cookie|auth|token|secret|key/;

async function printHead({ report }: Context, { status, headers }: HttpResponse): Promise<void> {
  const lines = Object.entries(headers).map(
    ([name, value]) => `${name}: ${secretHeader.test(name) ? '[redacted]' : value}`,
  );
  await report.line([`HTTP ${status}`, ...lines, ''].join('\n'));
}

async function printBody({ report, world }: Context, { response, failure }: RawResponse): Promise<void> {
  if (response.body.length === 0) return;
  const { output } = world.streams;
  const value = parseJsonObject(response, { exactNumbers: true });
  if (value !== undefined) {
    const text = new TextDecoder().decode(response.body).replace(/\n$/, '');
    // Redact each member if there is something to redact.
    const isUnredacted = world.secrets.redactCredentials(text) === text;
    if (output.isTerminal || report.wantsJson || !isUnredacted) return report.json(value);
    return report.line(text, { isData: true });
  }
  if (failure && (report.wantsJson || output.isTerminal)) return;
  const type = response.headers['content-type'] ?? 'of no type';
  const message = `The response is not JSON, but ${response.body.length} bytes (${type})`;
  if (report.wantsJson) throw new Failure('bad_response', { message, hint: 'Run it without --json.' });
  if (output.isTerminal)
    throw new Failure('bad_response', { message, hint: 'Add > FILE to the command to store it.' });
  await output.write(response.body);
}
