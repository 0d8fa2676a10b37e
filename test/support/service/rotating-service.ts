// A service with one account whose refresh token is good for one use, strict about it and counting, with faults that
// strike before it has rotated or after. Written apart from the emulator, so that the two cannot be wrong together.

import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Checkpoint } from '../gate.ts';
import { listening } from './listening.ts';

export type Fault =
  | { readonly when: 'before' | 'after'; readonly what: 'gate'; readonly gate: Checkpoint }
  | { readonly when: 'before'; readonly what: 'reset' | '500' | '429' | 'html' }
  | { readonly when: 'after'; readonly what: 'headers only' | 'half a body' | '500' }
  /** In the place of a response of HTTP: the bytes that `frame` makes of the tokens. */
  | { readonly when: 'after'; readonly what: 'bytes'; readonly frame: (json: string) => Uint8Array | string }
  | { readonly when: 'answer'; readonly what: 'hostile host' | 'no host' | 'no refresh token' };

export interface Counts {
  /** Requests to the token endpoint. */
  requests: number;
  /** Those that used a refresh token up. */
  rotated: number;
  /** Those with a token that was used up already. */
  rejected: number;
}

export interface Service {
  readonly host: string;
  readonly counts: Counts;
  /** The refresh token that is good now. */
  readonly refreshToken: () => string;
  /** Strikes once for each entry, in order. */
  readonly faults: Fault[];
  /** What the next answers with tokens hold beside, or in the place of, the usual. */
  readonly also: Map<string, unknown>;
  /** Resolves at the next rotation. */
  rotation(): Promise<void>;
  close(): Promise<void>;
}

export const clientId = 'client-of-the-test';
export const clientSecret = 'canary-client-secret';

export async function startService(): Promise<Service> {
  const counts: Counts = { requests: 0, rotated: 0, rejected: 0 };
  const faults: Fault[] = [];
  const also = new Map<string, unknown>();
  const sockets = new Set<Socket>();
  let waiting: (() => void)[] = [];
  let generation = 1;
  const refresh = () => `canary-refresh-${generation}`;
  const access = () => `canary-access-${generation}`;

  const answerApi = (request: IncomingMessage, response: ServerResponse) => {
    const json = (status: number, body: unknown) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    if (request.headers.authorization !== `Bearer ${access()}`) {
      return json(401, { errorDescription: 'Access token is unknown or invalid', error: 'not_authorized' });
    }
    if (request.url?.startsWith('/api/v4/account')) {
      return json(200, { kind: 'accounts', data: [{ id: 'IEAAAAAQ', name: 'Account' }] });
    }
    return json(200, { kind: 'contacts', data: [{ id: 'KUAAAAAA', firstName: 'Ada', me: true }] });
  };

  const answerToken = (body: string, response: ServerResponse) => {
    const form = new URLSearchParams(body);
    const fault = faults.shift();
    const json = (status: number, value: unknown) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    const go = () => {
      if (form.get('client_id') !== clientId || form.get('client_secret') !== clientSecret) {
        return json(400, { error: 'invalid_client' });
      }
      if (form.get('grant_type') !== 'refresh_token' || form.get('refresh_token') !== refresh()) {
        counts.rejected++;
        return json(400, { error: 'invalid_grant', error_description: 'The refresh token is invalid' });
      }
      const keeps = fault?.when === 'answer' && fault.what === 'no refresh token';
      const before = refresh();
      generation++;
      counts.rotated++;
      for (const resolve of waiting) resolve();
      waiting = [];
      const granted = {
        access_token: access(),
        refresh_token: refresh(),
        token_type: 'bearer',
        expires_in: 3600,
        host: `127.0.0.1:${port}`,
        ...Object.fromEntries(also),
      };
      if (fault?.what === 'gate' && fault.when === 'after') {
        return pass(fault.gate, () => json(200, granted));
      }
      if (fault?.what === 'bytes') {
        return response.socket?.end(fault.frame(JSON.stringify(granted)));
      }
      if (fault?.when === 'after' && fault.what !== 'gate') {
        return cut(fault.what, JSON.stringify(granted), response);
      }
      if (keeps) {
        issued = before;
        const { refresh_token: _, ...rest } = granted;
        return json(200, rest);
      }
      if (fault?.when === 'answer' && fault.what === 'no host') {
        const { host: _, ...rest } = granted;
        return json(200, rest);
      }
      if (fault?.when === 'answer') return json(200, { ...granted, host: 'evil.example' });
      return json(200, granted);
    };
    if (fault?.when !== 'before') return go();
    if (fault.what === 'gate') return pass(fault.gate, go);
    if (fault.what === 'reset') return response.destroy();
    if (fault.what === 'html') {
      return response.writeHead(200, { 'Content-Type': 'text/html' }).end('<h1>Sign in to the network</h1>');
    }
    return json(Number(fault.what), { error: fault.what === '429' ? 'too_many_requests' : 'server_error' });
  };

  let issued: string | undefined;
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (part) => {
      body += part;
    });
    request.on('end', () => {
      if (request.url !== '/oauth2/token') return answerApi(request, response);
      counts.requests++;
      // A service that left the refresh token out goes on accepting the old one.
      return answerToken(issued === undefined ? body : body.replace(issued, refresh()), response);
    });
  });
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
  });
  const port = await listening(server);
  return {
    host: `127.0.0.1:${port}`,
    counts,
    faults,
    also,
    refreshToken: refresh,
    rotation: () =>
      new Promise((resolve) => {
        waiting.push(resolve);
      }),
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

function pass(gate: Checkpoint, then: () => void): void {
  gate.reach();
  void gate.opened.then(then);
}

function cut(what: 'headers only' | 'half a body' | '500', text: string, response: ServerResponse): void {
  if (what === '500') {
    response.writeHead(500, { 'Content-Type': 'application/json' }).end('{"error":"server_error"}');
    return;
  }
  response.writeHead(200, { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(text) });
  response.flushHeaders();
  if (what === 'half a body') response.write(text.slice(0, text.length / 2), () => response.destroy());
  else setImmediate(() => response.destroy());
}
