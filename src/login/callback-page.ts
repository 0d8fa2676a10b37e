// What the callback server sends to the browser: the final page, and a line of text for anything but the awaited redirect.

import { createHash } from 'node:crypto';
import type { ServerResponse } from '#world/world.ts';

/** The page that the browser shows when the sign-in has ended; plain text, escaped here. */
export interface CallbackPage {
  readonly title: string;
  readonly text: string;
}

const securityHeaders = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  Connection: 'close',
} as const;

export function sendText(response: ServerResponse, status: number, text: string): void {
  response
    .writeHead(status, { ...securityHeaders, 'Content-Type': 'text/plain; charset=utf-8' })
    .end(`${text}\n`);
}

/** Removes the code from the address bar. @see [RFC 6749 §10.5](https://www.rfc-editor.org/rfc/rfc6749#section-10.5) */
const hideCodeScript = "history.replaceState(null, '', '/')";

/** Sends the page; resolves when it has been sent, or when the browser has gone away. */
export function sendPage(response: ServerResponse, { title, text }: CallbackPage): Promise<void> {
  const hash = createHash('sha256').update(hideCodeScript).digest('base64');
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>:root { color-scheme: light dark } body { font: 1.1rem/1.5 system-ui, sans-serif; max-width: 36rem; margin: 15vh auto; padding: 0 1rem }</style>
</head>
<body>
<main>
<h1>${escapeHtml(title)}</h1>
<p>${escapeHtml(text)}</p>
</main>
<script>${hideCodeScript}</script>
</body>
</html>
`;
  response.writeHead(200, {
    ...securityHeaders,
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'; frame-ancestors 'none'`,
  });
  return new Promise((resolve) => {
    if (response.destroyed) return resolve();
    response.once('close', resolve);
    response.end(html, resolve);
  });
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
