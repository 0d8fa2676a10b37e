// HTML of one hostile piece again and again. 200,000 characters are quick and a million are deep.

import assert from 'node:assert/strict';
import { sanitizeHtml } from '#emulator/html/sanitize.ts';

export const image = 'https://files.example.com/attachments/1/a.png';
export const reduced = (html: string) =>
  sanitizeHtml(html, { images: [image], workspace: 'http://127.0.0.1:4010' });

/** Reads so many characters of each kind, which must not take quadratic time. */
export function readHostile(length: number): void {
  const pieces = [
    '<',
    '<a',
    '<b>',
    '<a href="',
    '</b>',
    '<script>',
    '<!--',
    '<table><tr><td>',
    '<i></b>',
    'x="',
  ];
  for (const piece of pieces) {
    const began = process.cpuUsage().user;
    reduced(piece.repeat(length / piece.length));
    const seconds = (process.cpuUsage().user - began) / 1e6;
    assert.ok(seconds < 5, `${piece}: ${seconds} s`);
  }
}
