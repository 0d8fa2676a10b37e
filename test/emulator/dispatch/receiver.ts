// A receiver of webhooks for tests: a real HTTP server that keeps what it gets, answers as it is told, and lets a test
// wait for the next request instead of for some time.

import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { TestContext } from 'node:test';
import { listening } from '#test/listening.ts';

export interface Got {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of every shape
  readonly events: any;
}

export interface Receiver {
  readonly port: number;
  readonly url: string;
  readonly got: Got[];
  /** The status of the answers to come, or what decides it. */
  answer: number | ((got: Got) => number | Promise<number>);
  /** Answers handshakes with this secret; without one they are answered like anything else. */
  secret: string | undefined;
  /** Resolves once that many requests have come in all. */
  count(wanted: number): Promise<void>;
}

export const hmac = (secret: string, text: string) =>
  createHmac('sha256', secret).update(text, 'utf8').digest('hex');

export async function receiving(test: TestContext): Promise<Receiver> {
  let waiters: { wanted: number; wake: () => void }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => {
      const got: Got = { path: request.url ?? '', headers: request.headers, body, events: JSON.parse(body) };
      receiver.got.push(got);
      const challenge = request.headers['x-hook-secret'];
      if (typeof challenge === 'string' && receiver.secret !== undefined) {
        response.setHeader('X-Hook-Secret', hmac(receiver.secret, challenge));
      }
      const now = waiters.filter(({ wanted }) => wanted <= receiver.got.length);
      waiters = waiters.filter((one) => !now.includes(one));
      for (const { wake } of now) wake();
      const status = typeof receiver.answer === 'number' ? receiver.answer : receiver.answer(got);
      void Promise.resolve(status).then((code) => {
        response.statusCode = code;
        if (code === 302) response.setHeader('Location', `${receiver.url}/elsewhere`);
        response.end();
      });
    });
  });
  const port = await listening(server);
  const receiver: Receiver = {
    port,
    url: `http://127.0.0.1:${port}`,
    got: [],
    answer: 200,
    secret: undefined,
    count(wanted) {
      if (receiver.got.length >= wanted) return Promise.resolve();
      return new Promise((wake) => waiters.push({ wanted, wake }));
    },
  };
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return receiver;
}
