// The client warns of exactly what the emulator drops, for any HTML. Both have one reader (docs/decisions/html-parser.md), and each
// decides by itself what stays.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { descriptionTags, hiddenTags } from '#contract/allowed-html.ts';
import { sanitizeComment } from '#emulator/endpoints/comments.ts';
import { type LinkContext, sanitizeHtml } from '#emulator/html/sanitize.ts';
import { readComment, readDescription } from '#tasks/input/stripped-html.ts';

type Sanitize = (html: string, context: LinkContext) => string;

/** What the client says of it, and what the emulator makes of it, with the number of tags that it removes. */
function compare(html: string, read: typeof readDescription, sanitize: Sanitize) {
  let removed = 0;
  const assume: LinkContext['assume'] = (id) => void (id === 'other-html' && removed++);
  const stored = sanitize(html, { workspace: 'http://127.0.0.1:4010', assume });
  return { warned: read(html).dropped, removed, stored, warnedOfStored: read(stored).dropped };
}

/** Attributes, and markup other than tags, have other names. */
const countTags = (warned: ReadonlyMap<string, number>) =>
  [...warned].reduce((sum, [kind, count]) => sum + (/^<[a-z]/.test(kind) ? count : 0), 0);

const readers = [
  [readDescription, sanitizeHtml],
  [readComment, sanitizeComment],
] as const;

function assertAgreement(html: string): void {
  for (const [read, sanitize] of readers) {
    const { warned, removed, stored, warnedOfStored } = compare(html, read, sanitize);
    assert.equal(countTags(warned), removed, `${html} is stored as ${stored}`);
    assert.deepEqual([...warnedOfStored], [], `${html} is stored as ${stored}`);
  }
}

const texts: readonly string[] = [
  'plain & simple, 1 < 2 > 0',
  '<h1>a</h1><P CLASS="x">b</P>',
  'a<br/>b<BR >c',
  '<script>alert("<b>")</script>x<style>p{}</style><i>y</i>',
  '<script>never closed <b>',
  '<template><b>x</b></template><u>y</u>',
  '<!-- a > <b> -->x<i>',
  '<!-- a --!><div>b',
  '<!doctype html><b>x',
  '<span style="color: red; font-size: 9px">a</span>',
  `<a href='https://example.com/?a=1&amp;b=2' title="a > b">a</a>`,
  '<a href=https://example.com/>a</a>',
  '<img src="a.png" onerror="x()" src="b.png">',
  '<ul><li>a<li>b</ul>',
  '<table><tr><td colspan="2">a</td></tr></table>',
  '</b>a<u>',
  '<b hidden>a</b><i  title = x  id>b</i>',
  '<a b="c"d=e/f=g>a</a>',
  '<a b=       "c > d">a</a>',
  '</b c=">">a<u>',
  '<!x a=">"><p>',
  '<? <p>a<i>',
  '<a <b <i>',
  '<script>\u0130\u0130</SCRIPT><p>',
  '<script>a</scripts><p></script><p>',
  '<xmp><p></xmp><p>',
  'a <p',
  'a <p title="never closed',
  'a<p>b</p x',
  '<blockquote data-entrytype="comment" data-entryid="1" data-title="x">a</blockquote>',
  '<blockquote data-entrytype="task" data-entryid="1" data-title="x" data-user="y">a</blockquote>',
];

for (const html of texts)
  test(`the client warns about what the emulator drops in ${html}`, () => assertAgreement(html));

// Their content is text, so the tokenizer compares their names letter by letter.
const rawText = ['script', 'style', 'title', 'textarea', 'xmp', 'iframe', 'noembed', 'noframes', 'plaintext'];

test('an unfinished tag at the end is kept, wherever it breaks off', () => {
  const others = [...hiddenTags, ...Object.keys(descriptionTags), 'div'];
  const endings = ['', ' ', '/', ' b', ' b=', ' b="c'];
  for (const name of new Set([...rawText, ...others, ...rawText.map((raw) => raw.toUpperCase())]))
    for (let length = 1; length <= name.length; length++)
      for (const ending of endings)
        for (const slash of ['', '/'])
          for (const [read, sanitize] of readers) {
            const tag = `${slash}${name.slice(0, length)}${ending}`;
            const { warned, stored } = compare(`a <${tag}`, read, sanitize);
            assert.deepEqual({ warned: [...warned], stored }, { warned: [], stored: `a &lt;${tag}` });
          }
});

const piece = fc.oneof(
  fc.constantFrom(
    ...['<', '</', '</>', '>', '/', '/>', '=', '"', "'", ' ', '\t', '\f', '\0', '\u0130', 'x', '&', ';'],
    ...'<! <!-- -- --> --!> <!doctype <![CDATA[ ]]> <? <p <p> </p> <P/>'.split(' '),
    ...'<script> </script </scripts> <title> </title> <template> </TEMPLATE> <noscript>'.split(' '),
    ...'<xmp> </xmp> <plaintext> <noembed> <svg> <b> </b> <li> <table> <td> <br>'.split(' '),
    ...[
      '<a href=',
      '<a href="',
      '<a class="',
      '<img src="',
      '<span style="',
      'color: red',
      'top: 0',
      'title',
    ],
    ...['stream-user-id avatar" rel="@followers"', '<blockquote data-entryid=1 data-title=x data-entrytype='],
    ...'task comment https: https&colon; https&#58 java script:x mailto:x //x.example/'.split(' '),
    ...'&amp &lt; &copy= &colon &Tab; &#x0 &#128; &nGt; &hybull; &#xD800; &#x3a'.split(' '),
  ),
  fc.string({ maxLength: 4 }),
);

test('the client warns about what the emulator drops in any HTML', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 25 }), (pieces) => assertAgreement(pieces.join(''))),
    { numRuns: 5_000 },
  );
});

const names: Readonly<Record<string, readonly string[]>> = {
  ':': ['&colon;'],
  '/': ['&sol;'],
  '.': ['&period;'],
  '?': ['&quest;'],
  '@': ['&commat;'],
  '&': ['&amp;', '&AMP', '&amp'],
};
/** A character of a URL: as it is, by its number, by a name, or after what URLs leave out. */
function written(character: string): fc.Arbitrary<string> {
  const code = character.charCodeAt(0);
  const numbers = [`&#${code};`, `&#0${code}`, `&#x${code.toString(16)};`, `&#X0${code.toString(16)}`];
  const others = [character, `&Tab;${character}`, `&NewLine;${character}`, ...(names[character] ?? [])];
  return fc.constantFrom(character, ...numbers, ...others);
}
/** Where a character would continue a reference, a semicolon ends it. */
const joined = (pieces: readonly string[]) =>
  pieces.reduce((all, next) => all + (/&#?\w+$/.test(all) && /^[\w;]/.test(next) ? ';' : '') + next, '');

const kept = ['https://x.example/?a&b', 'http:x.example', 'mailto:x@x.example', 'ftp://x.example/.'];
const dropped = ['javascript:x()', 'data:,x', '//x.example/', 'x', '&colon', 'https&colon//x.example/'];

test('a link is kept or dropped by its URL, however its characters are written', () => {
  const link = fc.constantFrom(...kept, ...dropped).chain((url) =>
    fc.record({
      url: fc.constant(url),
      source: fc.tuple(...[...url].map(written)).map(joined),
    }),
  );
  fc.assert(
    fc.property(link, fc.constantFrom('"', "'", ''), ({ url, source }, quote) => {
      const html = `<a href=${quote}${source}${quote}>x</a>`;
      for (const [read, sanitize] of readers) {
        const { warned, stored } = compare(html, read, sanitize);
        assert.equal(warned.size, kept.includes(url) ? 0 : 1, html);
        assert.equal(stored.startsWith('<a href="'), kept.includes(url), html);
      }
    }),
    { numRuns: 2_000 },
  );
});
