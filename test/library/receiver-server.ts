// A server on a port of its own in front of a receiver: node:http as it is, or through the Request and Response of fetch, as the
// servers of frameworks do it.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Receiver } from '#library/create-receiver.ts';
import { throughFetch } from '../package/serve-example.ts';

export type FrontEnd = 'node' | 'fetch';
export const frontEnds: readonly FrontEnd[] = ['node', 'fetch'];

export interface ReceiverServer {
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

export function serveReceiver(receiver: Receiver, frontEnd: FrontEnd): Promise<ReceiverServer> {
  return serve(frontEnd === 'node' ? receiver.node : throughFetch(receiver.fetch));
}

export async function serve(
  handle: (request: IncomingMessage, response: ServerResponse) => void,
): Promise<ReceiverServer> {
  const server = createServer(handle);
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/hook`,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
