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

/** A reader that looks again at what it has read would take minutes here. */
const many = 50_000;

test('a text of any pattern is read once, to its end', () => {
  assert.ok(patterns.length >= 40);
  for (const pattern of patterns) {
    let length = 0;
    const html = pattern(many);
    tokenizeHtml(html, {
      tag: ({ name }) => {
        length += name.length;
      },
      dropped: (source) => {
        length += source.length;
      },
    });
    assert.ok(length <= html.length, pattern(1));
  }
});
