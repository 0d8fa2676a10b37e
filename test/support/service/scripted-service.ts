// A service of few words for the tests of the client: it gives the answers it was told to, one after the other, and the
// last one for ever. Beside it, the command lines that stand for each method.

import { createHurriedClock, type TestClock } from '../clock.ts';
import { type Ran, run, type Setting } from '../program/program.ts';
import { jsonReply, type RawServer, type Reply, startRawServer } from './raw-server.ts';

export const taskId = 'IEAAAAAQKQAB5BNG';
export const hookId = 'IEAAAAAQJAAAAAAB';
export const canary = 'canary-token-3f9a';

/** One command line for each method of the service. */
export const lines = {
  GET: ['webhook', 'get', hookId],
  PUT: ['task', 'update', taskId, '--title', 'x'],
  DELETE: ['webhook', 'delete', hookId, '--yes'],
  POST: ['webhook', 'create', 'https://example.com/hook'],
} as const;

export interface Asked extends Ran {
  readonly requests: readonly string[];
  readonly clock: TestClock;
}

export interface AskSetting extends Omit<Setting, 'onOutput'> {
  readonly clock?: TestClock;
}

/** Runs one command line against a service that gives these answers. No pause between tries takes any time. */
export async function ask(
  typed: readonly string[],
  replies: readonly ReturnType<Reply>[] | Reply,
  setting: AskSetting = {},
): Promise<Asked> {
  const reply: Reply =
    typeof replies === 'function'
      ? replies
      : (_, count) => replies[Math.min(count, replies.length) - 1] ?? 'cut';
  let isDeleted = false;
  const looks = looksOf(typed, () => isDeleted);
  const counted: string[] = [];
  const server = await startRawServer((request) => {
    const aside = looks(request);
    if (aside !== undefined) return aside;
    counted.push(request);
    const response = reply(request, counted.length);
    if (request.startsWith('DELETE')) isDeleted ||= isDone(response);
    return response;
  });
  try {
    return { ...(await askAt(server, typed, setting)), requests: counted };
  } finally {
    await server.close();
  }
}

/**
 * `create` looks for a webhook of the same URL before it sends its request, and `delete` looks at the webhook before and
 * after. These tests are about the request itself: such looks are answered beside the replies, and not counted.
 */
function looksOf(typed: readonly string[], isGone: () => boolean): (request: string) => string | undefined {
  const verb = typed[1];
  let sent = false;
  return (request) => {
    sent ||= !request.startsWith('GET');
    if (!request.startsWith('GET')) return undefined;
    if (verb === 'create' && !sent) return jsonReply(200, hooks());
    if (verb !== 'delete') return undefined;
    if (/^GET \/api\/v4\/webhooks /.test(request)) return jsonReply(200, isGone() ? hooks() : hooks(hook));
    return isGone()
      ? jsonReply(404, { error: 'resource_not_found', errorDescription: 'A fault of the test' })
      : jsonReply(200, hooks(hook));
  };
}

/** What a service says that has deleted it, or has it no longer. */
function isDone(reply: ReturnType<Reply>): boolean {
  return (
    /^HTTP\/1\.1 (2[\s\S]*\r\n\r\n|404[\s\S]*"resource_not_found","errorDescription")/.test(reply) &&
    !reply.includes('text/html')
  );
}

export async function askAt(
  server: Pick<RawServer, 'host'>,
  typed: readonly string[],
  { clock = createHurriedClock(), environment, world, ...setting }: AskSetting = {},
) {
  const own = { WM_TOKEN: canary, WM_HOST: server.host, ...environment };
  const ran = await run(typed, { ...setting, environment: own, world: { clock, ...world } });
  return { ...ran, clock };
}

/** The first line of a request: `GET /api/v4/webhooks HTTP/1.1`. */
export function firstLine(request: string | undefined): string {
  return request?.split('\r\n')[0] ?? '';
}

/** An answer byte for byte. */
export function answer(
  status: number,
  headers: readonly string[],
  body = '',
  length = Buffer.byteLength(body),
): string {
  return [
    `HTTP/1.1 ${status} X`,
    `Content-Length: ${length}`,
    'Connection: close',
    ...headers,
    '',
    body,
  ].join('\r\n');
}

export function hooks(...records: readonly object[]): object {
  return { kind: 'webhooks', data: records };
}

export const hook = {
  id: hookId,
  accountId: 'IEAAAAAQ',
  hookUrl: 'https://example.com/hook',
  status: 'Active',
} as const;
