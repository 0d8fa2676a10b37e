// HTML that repeats what invites looking again at what was looked at. A reader that does so would take minutes in the deep suite.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readHtml } from '#html-reader/read-html.ts';

/** Each begins, repeats, or ends in a way that invites looking again at what was looked at. */
const patterns: readonly ((times: number) => string)[] = [
  ...[
    ...['<', '<?', '<!', '<!-', '<!--', '<!-->', '-->', '>', '</', '</a', '</a ', '<a', '<a ', '<a/', '<a>'],
    ...[
      '<a b',
      '<a b=',
      '<a b="',
      "<a b='",
      '<a b="c"',
      '<a b=c ',
      '<a =',
      '<a>b</a>',
      '<a <',
      '<a "',
      '&',
      '&amp;',
    ],
    ...['<script', '<script>', '<script></', '<script></script>', '</script>', '<style>', '<title></titlf>'],
  ].map((part) => (times: number) => part.repeat(times)),
  (times) => `<a ${'b'.repeat(times)}>`,
  (times) => `<a ${'b '.repeat(times)}>`,
  (times) => `<a ${'b= '.repeat(times)}>`,
  (times) => `<a b${' '.repeat(times)}c>`,
  (times) => `<a b="${' '.repeat(times)}>`,
  (times) => `<${'a'.repeat(times)}>`,
  (times) => `<span style="color:a${' '.repeat(times)}b">`,
  (times) => `<script>${'</'.repeat(times)}`,
];

/** Declares the test, with texts of so many pieces. */
export function testReadOnce(pieces: number): void {
  test('reads a text of any pattern once, to its end', () => {
    assert.ok(patterns.length >= 40);
    for (const pattern of patterns) {
      let length = 0;
      const html = pattern(pieces);
      const add = (read: string) => {
        length += read.length;
      };
      readHtml(html, { text: add, open: ({ name }) => add(name), close: add, hide: add, drop: add });
      assert.ok(length <= html.length, pattern(1));
    }
  });
}
