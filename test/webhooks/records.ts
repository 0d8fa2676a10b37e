// A service that answers with records that the emulator never gives: without a URL or a status, in pages, or of another
// id.

import type { TestContext } from 'node:test';
import { type AskSetting, askAt } from '../client/service.ts';
import { jsonReply, startRawServer } from '../raw-server.ts';

/** A whole reply, or the body of one with status 200. */
type Answer = object | string;

/** By method and path, as in `GET webhooks`: one after the other, and the last one for ever. */
export type Answers = Readonly<Record<string, readonly [Answer, ...Answer[]]>>;

export const broken = jsonReply(500, { error: 'server_error', errorDescription: 'A fault of the test' });
export const cut = 'cut';

/** What is not among the answers is not found. */
export async function answering(context: TestContext, answers: Answers) {
  const requests: string[] = [];
  const server = await startRawServer((request) => {
    const [, method = '', path = ''] = /^(\S+) \/api\/v4\/([^ ?]*)/.exec(request) ?? [];
    const name = `${method} ${path}`;
    const before = requests.filter((request) => request === name).length;
    requests.push(name);
    const responses = answers[name];
    const answer = responses?.[Math.min(before, responses.length - 1)];
    if (answer === undefined) return jsonReply(404, { error: 'resource_not_found' });
    return typeof answer === 'string' ? answer : jsonReply(200, answer);
  });
  context.after(() => server.close());
  return {
    host: server.host,
    /** Every request, as the answers name them. */
    asked: requests,
    wm: (argv: readonly string[], setting?: AskSetting) => askAt(server, argv, setting),
  };
}
