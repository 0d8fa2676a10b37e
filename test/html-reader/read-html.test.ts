// Decodes character references as browsers do, tells markup from text, and reads a text once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { htmlToText } from '#html-reader/html-text.ts';
import { readHtml, textOf } from '#html-reader/read-html.ts';
import { testReadOnce } from './html-patterns.ts';

test('decodes character references up to the last one; everything else stays', async () => {
  for (const [html, text] of [
    ['&#1;&#65;&#x41;&#X4a;', '\u0001AAJ'],
    ['&#xD7FF;&#xE000;', '\uD7FF\uE000'],
    ['&#1114111;&#x10FFFF;', '\u{10FFFF}\u{10FFFF}'],
    ['&#0;&#xD800;&#1114112;', '\uFFFD\uFFFD\uFFFD'],
    ['&#65 &#x41&colon;&Lt;&nGt;', 'A A:\u226a\u226b\u20d2'],
    ['&copy=2&region=eu &notit; &ampx', '©=2®ion=eu ¬it; &x'],
    ['&amp;lt; &LT;&gt;&quot;&nbsp;', '&lt; <>"\u00a0'],
    ['a<b title="&lt;">b</b> < &', 'ab < &'],
  ] as const) {
    assert.equal(textOf(html), text);
    assert.equal(await htmlToText(html), text);
  }
  for (const none of ['&no;', '&', '&#;', '&#x;', 'plain', '']) assert.equal(textOf(none), none);
});

test('reports references as written: in text, and in attributes by stricter rules', () => {
  const found: string[] = [];
  readHtml('&copy2 &nGt;&#65;<a href="&copy;&notin;&amp&copy=2&region&#x41" b=&lt;>&no;</a>', {
    text: (_source, _decoded, references) => found.push(...references),
    open: ({ references }) => found.push(...references.map((pair) => pair.join(' '))),
  });
  const inTag = ['href &copy;', 'href &notin;', 'href &amp', 'href &#x41', 'b &lt;'];
  assert.deepEqual(found, ['&copy', '&nGt;', '&#65;', ...inTag]);
});

const markup: readonly (readonly [html: string, text: string, dropped: readonly string[]])[] = [
  ['a</>b</></>', 'ab', ['</>', '</></>']],
  ['</><b></></b></>&amp;', '&', ['</>', '</>', '</>']],
  ['a<!b>c<?d?>e</ f>g<![CDATA[>]]>h', 'acegh', ['<!b>', '<?d?>', '</ f>', '<![CDATA[>]]>']],
  ['</><!doctype a>b', 'b', ['</>', '<!doctype a>']],
  ['a<!doctype b', 'a', ['<!doctype b']],
  ['</><!b', '', ['</>', '<!b']],
  ['a<!-- b --!>c<!-->d<!--->e', 'acde', []],
  ['a<!-- b -', 'a', ['<!-- b -']],
  ['a<!--!>b', 'a', ['<!--!>b']],
  ['a<![CDATA[b', 'a', ['<![CDATA[b']],
  // An unfinished tag is text.
  ['a</>b<c d="e', 'ab<c d="e', ['</>']],
  ['a</b', 'a</b', []],
  ['a</b c', 'a</b c', []],
  ['</b c', '</b c', []],
  ['<b>a</></b', 'a</b', ['</>']],
  ['</></b c', '</b c', ['</>']],
  ['</><s', '<s', ['</>']],
  ['a</><plaintext', 'a<plaintext', ['</>']],
  ['<script></><!b></script>a', 'a', []],
];

test('markup other than tags is not text', () => {
  for (const [html, text, expected] of markup) {
    const dropped: string[] = [];
    readHtml(html, { drop: (source) => dropped.push(source) });
    assert.deepEqual(dropped, expected, html);
    assert.equal(textOf(html), text, html);
  }
});

testReadOnce(10_000);
