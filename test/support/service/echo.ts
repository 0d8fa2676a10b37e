// A service that echoes what it was sent, in every part of a response and in every way that a text is written there: what
// debug pages, firewalls and careless proxies do. And what must then be found nowhere, told by no code of the program.

import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Every secret of these tests begins with "canary"; the rest is what encoders change. */
export const canaries = {
  token: `canary-token/3f9a+77==&'"<x>%2f\\~`,
  refresh: 'canary-refresh/55+1c==&<b>',
  client: `canary-client "secret"/é&<c>`,
  code: 'canary-code/8d+9e==',
  hook: `canary-hook 'secret'/ü+&<d>`,
} as const;

/** "canary" as it is, and in base64 behind any number of bytes. */
const leaked = /canary|Y2FuYXJ5|NhbmFye|jYW5hcn/i;

/** In the text itself, or in what it is once its percent signs are decoded. */
export function noCanary(text: string, where: string): void {
  for (const one of [text, percentDecoded(text)]) {
    const found = leaked.exec(one);
    assert.equal(found && one.slice(Math.max(0, found.index - 60), found.index + 60), null, where);
  }
}

/** But for the token store, whose business they are. */
export async function noCanaryInFiles(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || path.includes(`${folder}/tokens/`)) continue;
    noCanary(await readFile(path, 'utf8'), path);
  }
}

function percentDecoded(text: string): string {
  return text.replace(/%([\da-f]{2})/gi, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)));
}

/** The request, in one text: as it came, and as an encoder writes it. */
export function echoOf(request: string): string {
  const line = request.replace(/[\r\n]+/g, ' ');
  return [
    line,
    percentDecoded(line).replaceAll('+', ' '),
    encodeURIComponent(line),
    JSON.stringify(line).replaceAll('/', '\\/'),
    line
      .replace(/&/g, '&amp;')
      .replace(/</g, '&lt;')
      .replace(/>/g, '&gt;')
      .replace(/"/g, '&quot;')
      .replace(/'/g, '&#39;'),
    ...['', 'x', 'xx'].map((shift) => Buffer.from(shift + line).toString('base64')),
    Buffer.from(line).toString('base64url'),
  ].join(' ');
}

/** One byte a character, which a reader takes for Latin-1, and no line break. */
function header(text: string): string {
  return Buffer.from(text, 'latin1')
    .toString('utf8')
    .replace(/\p{Cc}/gu, '?');
}

function respond(
  status: string,
  headers: readonly string[],
  body: string,
  length = Buffer.byteLength(body),
): string {
  const head = [`HTTP/1.1 ${status}`, `Content-Length: ${length}`, 'Connection: close', ...headers];
  return [...head, '', body].join('\r\n');
}

const json = 'Content-Type: application/json';

/** Every kind of response, by its name; each takes what is to be echoed, and a kind of record. */
export const echoes: Readonly<Record<string, (echo: string, kind: string) => string>> = {
  ...Object.fromEntries(
    [400, 401, 403, 404, 408, 409, 429, 500, 503].map((status) => [
      String(status),
      (echo: string) => {
        const body = { error: echo, errorDescription: echo, error_description: echo, message: echo };
        const headers = [json, `X-Echo: ${header(echo)}`, 'Retry-After: 1'];
        return respond(`${status} ${header(echo)}`, headers, JSON.stringify(body));
      },
    ]),
  ),
  'the service’s own word for it': (echo) =>
    respond('400 X', [json], JSON.stringify({ error: 'invalid_parameter', errorDescription: echo })),
  'the token endpoint’s own word for it': (echo) =>
    respond('400 X', [json], JSON.stringify({ error: 'invalid_grant', error_description: echo })),
  'malformed JSON': (echo) => respond('200 OK', [json], `{"data": ${echo}`),
  'a content type': (echo) => respond('200 OK', [`Content-Type: text/${header(echo)}`], echo),
  'a web page of an error': (echo) => respond('502 X', ['Content-Type: text/html'], `<p>${echo}`),
  'a kind': (echo) => respond('200 OK', [json], JSON.stringify({ kind: echo, data: [] })),
  'data of another form': (echo, kind) => respond('200 OK', [json], JSON.stringify({ kind, data: echo })),
  'a record of another form': (echo, kind) =>
    respond('200 OK', [json], JSON.stringify({ kind, data: [{ id: [echo], status: echo }] })),
  'a redirect': (echo) =>
    respond(`302 ${header(echo)}`, [`Location: https://elsewhere.test/?${header(echo)}`], echo),
  'half a body': (echo) => respond('200 OK', [json], echo, 1_000_000),
  'no HTTP': (echo) => `${echo}\r\n\r\n`,
  'a broken header': (echo) => `HTTP/1.1 200 OK\r\n${echo}\r\n\r\n`,
  'a broken length': (echo) => `HTTP/1.1 200 OK\r\nContent-Length: ${header(echo)}\r\n\r\n`,
};

/** A good response in which every text that is free echoes. */
export function goodEcho(request: string, kind: string, id: string): string {
  const echo = echoOf(request);
  const texts = { title: echo, description: echo, hookUrl: `https://example.com/?${echo}`, permalink: echo };
  const names = { firstName: echo, lastName: echo, name: echo, me: true };
  return respond(
    '200 OK',
    [json],
    JSON.stringify({ kind, data: [{ id, status: 'Active', ...texts, ...names }] }),
  );
}
