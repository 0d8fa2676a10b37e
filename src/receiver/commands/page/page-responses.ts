// Sends the responses of the page's server, so that none can be cached, framed, sniffed for another type, or read by another site.

import type { ServerResponse } from 'node:http';
import type { StoredDelivery } from '#receiver/intake/stored-delivery.ts';
import type { PageError } from './page-messages.ts';

export const pageHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  // Keeps the token in the address from other sites.
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const;

export function sendText(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, { ...pageHeaders, 'Content-Type': 'text/plain; charset=utf-8' })
    .end(`${text}\n`);
}

export function sendJson(response: ServerResponse, value: unknown, status = 200): void {
  response
    .writeHead(status, { ...pageHeaders, 'Content-Type': 'application/json' })
    .end(JSON.stringify(value));
}

export function sendError(response: ServerResponse, status: number, error: string): void {
  sendJson(response, { error } satisfies PageError, status);
}

export function sendFound(response: ServerResponse, value: unknown): void {
  if (value === undefined) sendError(response, 404, 'Delivery not found: it may have been dropped');
  else sendJson(response, value);
}

/** Sends a body as a download: a browser must not show it as a page of this origin. */
export function sendBytes(response: ServerResponse, { sequence, body }: StoredDelivery): void {
  response
    .writeHead(200, {
      ...pageHeaders,
      'Content-Type': 'application/octet-stream',
      'Content-Disposition': `attachment; filename="delivery-${sequence}.json"`,
      'Content-Length': body.length,
    })
    .end(body);
}
