// Decodes character references as the service does, leaves everything else unchanged, and reads a text once.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeEntities } from '#contract/html-entities.ts';
import { testReadOnce } from './html-patterns.ts';

test('character references become characters, up to the last one; what is none stays', () => {
  for (const [html, text] of [
    ['&#1;&#65;&#x41;&#X4a;', '\u0001AAJ'],
    ['&#xD7FF;&#xE000;', '\uD7FF\uE000'],
    ['&#1114111;&#x10FFFF;', '\u{10FFFF}\u{10FFFF}'],
    ['&#65 &#x41&colon;&Lt;', 'A A:&Lt;'],
    ['&copy=2&region=eu &notit; &ampx', '©=2®ion=eu ¬it; &x'],
    ['&amp;lt; &LT;&gt;&quot;&nbsp;', '&lt; <>"\u00a0'],
  ] as const)
    assert.equal(decodeEntities(html), text);
  for (const none of ['&#0;', '&#x0;', '&#xD800;', '&#xDFFF;', '&#1114112;', '&#x110000;', '&no;', '&'])
    assert.equal(decodeEntities(none), none);
});

testReadOnce(10_000);
