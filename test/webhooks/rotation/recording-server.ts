// The server of an emulator that records what each webhook was created with, since the service does not show it.

import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import type { RequestHandler, Server, ServerRequest, ServerResponse } from '#world/world.ts';

export interface RecordingServer {
  readonly server: Server;
  /** Calls `stop` instead of responding to a request that creates a webhook. */
  stopAtCreation(stop: (() => void) | undefined): void;
  /** The path and the parameters of the request that created the webhook. */
  createdWith(id: string): string | undefined;
}

export function recordingServer(server: Server): RecordingServer {
  const createdWith = new Map<string, string>();
  let stopping: (() => void) | undefined;
  const record =
    (handler: RequestHandler): RequestHandler =>
    (request, response) => {
      if (request.method !== 'POST' || !request.url?.startsWith('/api/')) return handler(request, response);
      const body = bodyOf(request);
      onEnd(response, (text) => {
        if (response.statusCode === 200)
          createdWith.set(JSON.parse(text).data[0].id, `${request.url} ${decodeURIComponent(body())}`);
        stopping?.();
        return stopping === undefined;
      });
      return handler(request, response);
    };
  return {
    server: { listen: (at, handler) => server.listen(at, record(handler)) },
    stopAtCreation(stop) {
      stopping = stop;
    },
    createdWith: (id) => createdWith.get(id),
  };
}

/** The body, once the handler has read it. */
function bodyOf(request: ServerRequest): () => string {
  assert.ok(request instanceof Readable);
  const chunks: Uint8Array[] = [];
  const push = request.push.bind(request);
  request.push = (chunk: Uint8Array | null) => {
    if (chunk !== null) chunks.push(chunk);
    return push(chunk);
  };
  return () => Buffer.concat(chunks).toString();
}

/** `pass` gets the body of the response, and says whether it may leave. */
function onEnd(response: ServerResponse, pass: (text: string) => boolean): void {
  const end = response.end.bind(response);
  Object.assign(response, { end: (text: string) => (pass(text) ? end(text) : response) });
}
