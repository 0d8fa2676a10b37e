// The service's side of a sign-in, in a few lines and written apart from the emulator: a token endpoint that answers
// what the test tells it to, and the two calls that say who the token stands for. It keeps every request it gets.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { listening } from './listening.ts';

export interface Seen {
  readonly line: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

export interface AuthService {
  readonly url: string;
  /** As a token answer names it. */
  readonly host: string;
  /** What came to the token endpoint, and to that for version 3 tokens. */
  readonly exchanges: Seen[];
  /** What came to the API. */
  readonly calls: Seen[];
  /** Whether anything listens here was tried this often. */
  probes: number;
  /** What the token endpoint does; the good answer unless a test says otherwise. */
  answer: (response: ServerResponse, exchange: Seen) => void;
  /** Whose the token is; the tests about signing in as another change it. */
  who: { readonly accountId: string; readonly userId: string };
  close(): Promise<void>;
}

export const secrets = {
  clientSecret: 'canary-client-secret',
  code: 'canary-code',
  access: 'canary-access-token',
  refresh: 'canary-refresh-token',
} as const;

export function json(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
}

/** The token answer of the contract, with or without some of its members. */
export function tokens(host: string | undefined, more: object = {}): object {
  return {
    access_token: secrets.access,
    refresh_token: secrets.refresh,
    token_type: 'bearer',
    expires_in: 3600,
    host,
    ...more,
  };
}

export async function startAuthService(): Promise<AuthService> {
  const exchanges: Seen[] = [];
  const calls: Seen[] = [];
  const server = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const exchange = { line: `${request.method} ${request.url}`, headers: request.headers, body };
    if (request.method === 'HEAD') {
      service.probes += 1;
      return response.writeHead(404).end();
    }
    if (request.url === '/oauth2/token' || request.url === '/oauth2/convert_v3_token') {
      exchanges.push(exchange);
      return service.answer(response, exchange);
    }
    calls.push(exchange);
    if (exchange.headers.authorization !== `Bearer ${secrets.access}`)
      return json(response, 401, { error: 'not_authorized', errorDescription: 'A fault of the test' });
    if (request.url === '/api/v4/account') {
      return json(response, 200, {
        kind: 'accounts',
        data: [{ id: service.who.accountId, name: 'Acme <&> Co' }],
      });
    }
    return json(response, 200, {
      kind: 'contacts',
      data: [{ id: service.who.userId, firstName: 'Ada', lastName: '<b>Lovelace</b>', me: true }],
    });
  });
  const host = `127.0.0.1:${await listening(server)}`;
  const service: AuthService = {
    url: `http://${host}`,
    host,
    exchanges,
    calls,
    probes: 0,
    answer: (response) => json(response, 200, tokens(host)),
    who: { accountId: 'IEAAAAAQ', userId: 'KUAAAAAA' },
    async close() {
      server.close();
      server.closeAllConnections();
    },
  };
  return service;
}
