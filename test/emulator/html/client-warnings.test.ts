// The client and the emulator read HTML by different means (docs/decisions/html-parser.md). Here both read the same texts,
// and must find the same tags with the same attributes: or the client would warn of what the service keeps, and the reverse.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { tokenizeHtml } from '#contract/html-tokenizer.ts';
import { readHtml } from '#emulator/html/read-html.ts';

type Found = readonly [name: string, attributes: readonly (readonly [string, string])[]];

function foundByClient(html: string): Found[] {
  const found: Found[] = [];
  tokenizeHtml(html, {
    tag: ({ name, closes, attributes }) => void (closes || found.push([name, [...attributes]])),
  });
  return found;
}

function foundByEmulator(html: string): Found[] {
  const found: Found[] = [];
  readHtml(html, {
    text: () => undefined,
    open: ({ name, attributes }) => void found.push([name, [...attributes]]),
    close: () => undefined,
  });
  return found;
}

const texts: readonly string[] = [
  'plain & simple, 1 < 2 > 0',
  '<h1>a</h1><P CLASS="x">b</P>',
  'a<br/>b<BR >c',
  '<script>alert("<b>")</script>x<style>p{}</style><i>y</i>',
  '<script>never closed <b>',
  '<template><b>x</b></template><u>y</u>',
  '<!-- a > <b> -->x<i>',
  '<!doctype html><b>x',
  '<span style="color: red; font-size: 9px">a</span>',
  `<a href='https://example.com/?a=1&amp;b=2' title="a > b">a</a>`,
  '<a href=https://example.com/>a</a>',
  '<a href="jav&#x61;script:alert(1)">a</a>',
  ...['https&colon;//a.example', 'java&Tab;&NewLine;script:x', '?&copy=2&region;&reg', '&amp&ampx&AMP;'].map(
    (url) => `<a href="${url}">a</a>`,
  ),
  '<a href="https&#58//a&#x2e;example&sol;&notit;&percnt;">a</a>',
  '<img src="a.png" onerror="x()" src="b.png">',
  '<ul><li>a<li>b</ul>',
  '<table><tr><td colspan="2">a</td></tr></table>',
  '<b><i>a</b>b',
  '</b>a<u>',
  '<b hidden>a</b><i  title = x  id>b</i>',
  '<a b="c"d=e/f=g>a</a>',
  '<a data-x1="a" @click=b>a</a>',
  '<a b=       "c > d">a</a>',
  '</b c=">">a<u>',
  '<!x a=">"><b>',
  '<? <b>a<i>',
  '<a <b <i>',
  '<script>\u0130\u0130</SCRIPT><b>',
  'a <b',
  'a <b title="never closed',
  '<b>a <',
];

for (const html of texts) {
  test(`the client and the emulator find the same tags in ${html}`, () => {
    assert.deepEqual(foundByClient(html), foundByEmulator(html));
  });
}
