// `wm api` sends a request of any kind to the service, with the sign-in, the retries and the guards of all other commands.

import { createLoopCheck } from '../client/follow-pages.ts';
import { parseJsonObject, readNextPageToken } from '../client/response.ts';
import type { RawRequest } from '../client/session.ts';
import { usageError } from '../failure.ts';
import { printBody, printHead } from './api/print-response.ts';
import { buildRawRequest } from './api/raw-request.ts';
import { command } from './command.ts';
import type { Context } from './context.ts';
import { readFileValue, readStandardInput } from './file-value.ts';
import { booleanFlag, type Flag, textFlag } from './flag.ts';
import { readFileBytes } from './read-file-bytes.ts';
import { createWireFormatter } from './send.ts';

const maxInputBytes = 32 * 1024 * 1024;

const pairsFlag = (help: string, short: string): Flag<readonly string[]> => ({
  help,
  placeholder: 'KEY=VALUE',
  short,
  repeats: true,
  parse: (given) => given,
});

export default command({
  changes: 'the service',
  mayOnlyRead: true,
  examples: [
    { description: 'Read something', command: 'wm api GET /contacts -f me=true' },
    {
      description: 'Only the names of all folders',
      command: "wm api GET /folders --paginate --jq '.[].title'",
    },
    {
      description: 'Change something, without a prompt',
      command: 'wm api PUT /tasks/IEAAAAAQKQAB5BNG -f status=Completed --yes',
    },
  ],
  details: `PATH is what follows /api/v4. A whole URL, .., // and the parameter access_token are invalid, because they could carry the
token elsewhere. The values of a GET and a DELETE are sent in the query, those of a PUT too unless it would be too long, those of
a POST as a form; with --body, in the query.

On a terminal PUT and DELETE ask for a confirmation; elsewhere they need --yes. In a pipe, JSON is printed as it came. A
response that is not JSON is printed byte for byte in a pipe. An error is printed like a response, and gives the exit status that
it gives everywhere.

With --json --paginate, the records of all pages are one array; without --json, the pages follow each other.`,
  arguments: {
    method: { help: 'the method: GET, POST, PUT or DELETE' },
    path: { help: 'the path below /api/v4, such as /tasks' },
  },
  flags: {
    rawField: pairsFlag('Send this parameter, exactly as it is', 'f'),
    field: pairsFlag('The same; @FILE and - as the value read it from a file or standard input', 'F'),
    body: {
      ...textFlag('FILE', 'Send this file as the body; - is standard input (also: --input)'),
      alias: 'input',
    },
    paginate: booleanFlag('Request all pages of a list'),
    state: textFlag('TEXT', 'Have the service return this text with its response'),
    methodTunnel: booleanFlag('Send a GET that names the method, for a network that blocks others'),
    include: booleanFlag('Print the status and the headers first', { short: 'i' }),
  },
  sendsRequests: true,
  async run({ arguments: { method, path }, flags }, context) {
    const { common } = context;
    const {
      rawField = [],
      field = [],
      body,
      paginate = false,
      state,
      methodTunnel = false,
      include = false,
    } = flags;
    const request = buildRawRequest({
      method,
      path,
      pairs: [...rawField.map((one) => splitPair(one, '-f')), ...(await readPairs(context, field))],
      body: body === undefined ? undefined : await readBody(context, body),
      state,
      methodTunnel,
    });
    if (paginate && request.effect !== 'GET')
      throw usageError('--paginate needs GET', 'Leave --paginate out, or read a list with GET.');
    if (common.dryRun || common.curl) return void (await show(context, request));
    if (request.effect !== 'GET') await context.assertMayChange();
    if (request.effect === 'PUT' || request.effect === 'DELETE')
      await context.confirm(`Send ${request.effect} ${request.target.split('?')[0]}?`);
    if (paginate && context.report.wantsJson) return void (await printRecords(context, request));
    for await (const page of responses(context, request, paginate)) {
      if (include) await printHead(context, page.response);
      await printBody(context, page.response);
      if (page.failure) throw page.failure;
    }
  },
});

function splitPair(text: string, flag: string): readonly [string, string] {
  const at = text.indexOf('=');
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)];
  throw usageError(`${flag} needs KEY=VALUE`, `For example: ${flag} title=Launch`);
}

async function readPairs(
  { world }: Context,
  given: readonly string[],
): Promise<readonly (readonly [string, string])[]> {
  const pairs: (readonly [string, string])[] = [];
  for (const text of given) {
    const [name, value] = splitPair(text, '-F');
    pairs.push([name, await readFileValue(world, value, `-F ${name}`)]);
  }
  return pairs;
}

async function readBody({ world }: Context, path: string): Promise<Uint8Array> {
  return path === '-'
    ? readStandardInput(world, maxInputBytes, '--body')
    : readFileBytes(world, path, '--body', maxInputBytes);
}

async function show(context: Context, { body, effect: _, ...request }: RawRequest): Promise<void> {
  const text = typeof body === 'string' || body === undefined ? body : decodeBody(body);
  const format = await createWireFormatter(context);
  await context.report.line(format(text === undefined ? request : { ...request, body: text }, []));
  if (!context.common.curl && !context.report.wantsJson)
    await context.report.info('Dry run: nothing was sent.');
}

function decodeBody(body: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(body);
  } catch {
    throw usageError('--body is not text, so it cannot be shown', 'Leave --dry-run and --curl out.');
  }
}

/** One response, or one for each page of a list. */
async function* responses(context: Context, request: RawRequest, paginate: boolean) {
  const session = await context.session();
  const loop = createLoopCheck();
  let token: string | undefined;
  for (;;) {
    const join = request.target.includes('?') ? '&' : '?';
    const target =
      token === undefined
        ? request.target
        : `${request.target}${join}nextPageToken=${encodeURIComponent(token)}`;
    const answer = await session.sendRaw({ ...request, target });
    const body =
      paginate && !answer.failure ? parseJsonObject(answer.response, { exactNumbers: true }) : undefined;
    const data = Array.isArray(body?.['data']) ? body['data'] : [];
    const next = body && readNextPageToken(body, answer.response);
    const isLast = answer.failure !== undefined || next === undefined;
    loop.assertNewPage(data);
    // An empty page says nothing, unless it is the only one.
    if (data.length > 0 || answer.failure || (isLast && token === undefined)) yield { ...answer, data };
    if (isLast || next === undefined) return;
    loop.assertNewToken(next);
    token = next;
  }
}

/** An array that grows with each page: nobody has to hold it whole. */
async function printRecords(context: Context, request: RawRequest): Promise<void> {
  const { report } = context;
  let isFirst = true;
  for await (const { failure, data } of responses(context, request, true)) {
    if (failure) throw failure;
    for (const record of data) {
      await report.line(`${isFirst ? '[' : ','}\n${report.jsonOf(record)}`, { isData: true });
      isFirst = false;
    }
  }
  await report.line(isFirst ? '[]' : ']');
}
