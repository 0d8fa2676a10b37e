// A server on a port of its own in front of a receiver: node:http as it is, or through the Request and Response of fetch, as the
// servers of frameworks do it.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { TestContext } from 'node:test';
import type { Receiver } from '#library/create-receiver.ts';
import { listening } from '#test/support/service/listening.ts';
import { throughFetch } from '../package/serve-example.ts';

export type FrontEnd = 'node' | 'fetch';
export const frontEnds: readonly FrontEnd[] = ['node', 'fetch'];

export interface ReceiverServer {
  readonly port: number;
  readonly url: string;
}

export function serveReceiver(
  t: TestContext,
  receiver: Receiver,
  frontEnd: FrontEnd,
): Promise<ReceiverServer> {
  return serve(t, frontEnd === 'node' ? receiver.node : throughFetch(receiver.fetch));
}

/** Until the test ends. */
export async function serve(
  t: TestContext,
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<ReceiverServer> {
  const server = createServer(handle);
  const port = await listening(server);
  t.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { port, url: `http://127.0.0.1:${port}/hook` };
}
