// Reads the HTML that the page's server sends: what a browser would show of it.

import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { textOf } from '#html-reader/read-html.ts';
import { open } from './page-request.ts';

export interface ShownRow {
  readonly sequence: number;
  readonly state: string;
  readonly time: string;
  readonly event: string;
  readonly task: string;
  readonly signature: string;
  readonly duplicates: string;
  readonly result: string;
}

/** The text of the element with this id; empty if there is none. */
export function textIn(html: string, id: string): string {
  const [, tag = '', rest = ''] = new RegExp(`<(\\w+) [^>]*?id="${id}"[^>]*>([\\s\\S]*)`).exec(html) ?? [];
  return textOf(rest.slice(0, rest.indexOf(`</${tag}>`)), '\n').trim();
}

export const rowsIn = (html: string): readonly ShownRow[] =>
  [...html.matchAll(/<tr [^>]*data-sequence="(\d+)" data-state="([^"]*)"[\s\S]*?<\/tr>/g)].map(
    ([row, sequence, state = '']) => {
      const cells = [...row.matchAll(/<td[^>]*>([\s\S]*?)<\/td>/g)].map(([, cell = '']) => textOf(cell));
      const [, time = '', event = '', task = '', signature = '', duplicates = '', result = ''] = cells;
      return { sequence: Number(sequence), state, time, event, task, signature, duplicates, result };
    },
  );

/** The cells of each line of a table of the details, such as `Attempts`. */
export function tableIn(html: string, label: string): readonly (readonly string[])[] {
  const [, table = ''] =
    new RegExp(`aria-label="${label}"[\\s\\S]*?<tbody>([\\s\\S]*?)</tbody>`).exec(html) ?? [];
  return table
    .split('</tr>')
    .slice(0, -1)
    .map((line) =>
      line
        .split('</td>')
        .slice(0, -1)
        .map((cell) => textOf(cell, '', ' ').trim()),
    );
}

/** `{ Received: 2 }` */
export const countersIn = (html: string): Readonly<Record<string, number>> =>
  Object.fromEntries(
    [...html.matchAll(/<dt[^>]*>([^<]*)<\/dt><dd[^>]*>([\d,]+)/g)].map(([, name = '', count = '']) => [
      name,
      Number(count.replaceAll(',', '')),
    ]),
  );

/** The updates of the page at this address, one at a time. */
export async function* updates(pageUrl: string): AsyncGenerator<string, void> {
  yield* updatesIn(await open(`${pageUrl}events`));
}

/** The messages of a stream of server-sent events. */
export async function* updatesIn(response: IncomingMessage): AsyncGenerator<string, void> {
  assert.equal(response.headers['content-type'], 'text/event-stream');
  let text = '';
  for await (const part of response.setEncoding('utf8')) {
    const messages = (text + String(part)).split('\n\n');
    text = messages.pop() ?? '';
    for (const message of messages)
      if (message.startsWith('data: ')) yield message.replaceAll(/^data: /gm, '');
  }
}

export async function firstUpdate(pageUrl: string): Promise<string> {
  const stream = updates(pageUrl);
  const update = await next(stream);
  await stream.return();
  return update;
}

export async function next(stream: AsyncGenerator<string, void>): Promise<string> {
  const { value, done } = await stream.next();
  assert.ok(!done, 'the stream has ended');
  return value;
}
