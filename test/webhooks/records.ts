// A service that responds with records that the emulator never returns: without a URL or a status, in pages, or with another
// id.

import type { TestContext } from 'node:test';
import { jsonReply, startRawServer } from '#test/support/service/raw-server.ts';
import { type AskSetting, askAt } from '#test/support/service/scripted-service.ts';

/** A complete response, or the body of a response with status 200. */
type Answer = object | string;

/** By method and path, as in `GET webhooks`: in sequence, and the last one from then on. */
export type Answers = Readonly<Record<string, readonly [Answer, ...Answer[]]>>;

export const broken = jsonReply(500, { error: 'server_error', errorDescription: 'A fault of the test' });
export const cut = 'cut';

/** Any other request gets 404. */
export async function answering(context: TestContext, answers: Answers) {
  const requests: string[] = [];
  const server = await startRawServer((request) => {
    const [, method = '', path = ''] = /^(\S+) \/api\/v4\/([^ ?]*)/.exec(request) ?? [];
    const name = `${method} ${path}`;
    const before = requests.filter((request) => request === name).length;
    requests.push(name);
    const responses = answers[name];
    const answer = responses?.[Math.min(before, responses.length - 1)];
    if (answer === undefined)
      return jsonReply(404, { error: 'resource_not_found', errorDescription: 'A fault of the test' });
    return typeof answer === 'string' ? answer : jsonReply(200, answer);
  });
  context.after(() => server.close());
  return {
    host: server.host,
    /** Every request, as `answers` names them. */
    asked: requests,
    wm: (argv: readonly string[], setting?: AskSetting) => askAt(server, argv, setting),
  };
}
