// Decodes character references as the service does, leaves everything else unchanged, and reads a text once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeEntities, tokenizeHtml } from '#contract/html-tokenizer.ts';

test('character references become characters, up to the last one; what is none stays', () => {
  for (const [html, text] of [
    ['&#1;&#65;&#x41;&#X4a;', '\u0001AAJ'],
    ['&#xD7FF;&#xE000;', '\uD7FF\uE000'],
    ['&#1114111;&#x10FFFF;', '\u{10FFFF}\u{10FFFF}'],
    ['&amp;lt; &LT;&gt;&quot;&nbsp;', '&lt; <>"\u00a0'],
  ] as const)
    assert.equal(decodeEntities(html), text);
  for (const none of [
    '&#0;',
    '&#x0;',
    '&#xD800;',
    '&#xDFFF;',
    '&#1114112;',
    '&#x110000;',
    '&no;',
    '&#65',
    '&',
  ])
    assert.equal(decodeEntities(none), none);
});

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

test('twice the text takes twice the steps, whatever it is', () => {
  assert.ok(patterns.length >= 40);
  for (const pattern of patterns) {
    const [once, twice] = [1000, 2000].map((times) => {
      const html = pattern(times);
      const steps = tokenizeHtml(html, { tag: () => undefined });
      assert.ok(steps >= html.length / 2, `${pattern(1)}: not all of it was read`);
      return steps;
    });
    assert.ok((twice ?? 0) <= 2 * (once ?? 0) + 20, `${pattern(1)}: ${once}, then ${twice} steps`);
  }
});
