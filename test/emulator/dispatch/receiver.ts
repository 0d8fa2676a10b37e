// A receiver of webhooks for tests: a real HTTP server that records its requests, responds as a test decides, and lets the test wait
// for the next request.

import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { TestContext } from 'node:test';
import { listening } from '#test/support/service/listening.ts';

export interface Received {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of every shape
  readonly events: any;
}

export interface Receiver {
  readonly port: number;
  readonly url: string;
  readonly received: Received[];
  /** Of all deliveries received. */
  // biome-ignore lint/suspicious/noExplicitAny: tests look into payloads of every shape
  readonly events: any[];
  /** The status of the next responses, or a function that decides it. */
  answer: number | ((received: Received) => number | Promise<number>);
  /** Completes handshakes with this secret; undefined: handles them like any request. */
  secret: string | undefined;
  /** Resolves when this many requests have arrived in all. */
  count(expected: number): Promise<void>;
}

export const hmac = (secret: string, text: string) =>
  createHmac('sha256', secret).update(text, 'utf8').digest('hex');

export async function receiving(test: TestContext): Promise<Receiver> {
  let waiters: { expected: number; resolve: () => void }[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.setEncoding('utf8');
    request.on('data', (piece: string) => {
      body += piece;
    });
    request.on('end', () => {
      const received: Received = {
        path: request.url ?? '',
        headers: request.headers,
        body,
        events: JSON.parse(body),
      };
      receiver.received.push(received);
      const challenge = request.headers['x-hook-secret'];
      if (typeof challenge === 'string' && receiver.secret !== undefined) {
        response.setHeader('X-Hook-Secret', hmac(receiver.secret, challenge));
      }
      const due = waiters.filter(({ expected }) => expected <= receiver.received.length);
      waiters = waiters.filter((waiter) => !due.includes(waiter));
      for (const { resolve } of due) resolve();
      const status = typeof receiver.answer === 'number' ? receiver.answer : receiver.answer(received);
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
    received: [],
    get events() {
      return receiver.received.flatMap(({ events }) => events);
    },
    answer: 200,
    secret: undefined,
    count(expected) {
      if (receiver.received.length >= expected) return Promise.resolve();
      return new Promise((resolve) => waiters.push({ expected, resolve }));
    },
  };
  test.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return receiver;
}
