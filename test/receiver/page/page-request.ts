// Sends a request to the page's server as no browser would: with any Host, and headers that pages cannot set.

import { type IncomingMessage, request } from 'node:http';

export interface PageResponse {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
}

export interface PageRequest {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The response whose body is still to be read. */
export function open(
  url: string,
  { method = 'GET', headers = {} }: PageRequest = {},
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    request(url, { method, headers, agent: false }, resolve).on('error', reject).end();
  });
}

/** What a button of the page does. */
export const post = (url: string): Promise<PageResponse> =>
  ask(url, { method: 'POST', headers: { Origin: new URL(url).origin } });

export async function ask(url: string, options?: PageRequest): Promise<PageResponse> {
  const response = await open(url, options);
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part);
  return {
    status: response.statusCode ?? 0,
    headers: response.headers,
    text: Buffer.concat(parts).toString('utf8'),
  };
}
