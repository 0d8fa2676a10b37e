// Sanitized descriptions.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { commentText } from '#emulator/endpoints/comments.ts';
import { briefDescription, escapeCommentText, sanitizeHtml } from '#emulator/html/sanitize.ts';
import { valuesOf } from '#test/support/service/records.ts';
import { call, started } from '#test/support/service/start-emulator.ts';
import { shows } from '../shows.ts';

const image = 'https://files.example.com/attachments/1/a.png';
const reduced = (html: string) => sanitizeHtml(html, { images: [image], workspace: 'http://127.0.0.1:4010' });

const unchanged: readonly [before: string, after: string][] = [
  ['plain & simple, 1 < 2 > 0', 'plain & simple, 1 &lt; 2 > 0'],
  ['<h1>a</h1><h6>b</h6><h7>c</h7>', '<h1>a</h1><h6>b</h6>c'],
  [
    '<strong>a</strong><b>b</b><em>c</em><i>d</i><u>e</u><s>f</s>',
    '<strong>a</strong><b>b</b><em>c</em><i>d</i><u>e</u><s>f</s>',
  ],
  ['a<br/>b<BR>c', 'a<br />b<br />c'],
  ['<p class="x">a</p><div>b</div>', 'ab'],
  ['<script>alert("<b>")</script>x<style>p{}</style>', 'x'],
  ['<script>never closed', ''],
  ['<!-- a > b -->x', 'x'],
  ['<span style="color: red; font-size: 9px">a</span>', '<span style="color: red;">a</span>'],
  ['<span style="color:#ff0000">a</span>', '<span style="color: #ff0000;">a</span>'],
  [
    '<span style="BACKGROUND-COLOR:#c8e6c9;top:0;color:url(x);color: red">a</span>',
    '<span style="background-color: #c8e6c9; color: red;">a</span>',
  ],
  ['<span style="background: url(x)">a</span>', 'a'],
  ['<b onclick="x()" style="color:red">a</b>', '<b>a</b>'],
  [
    '<a href="https://example.com/?a=1&amp;b=2">a</a>',
    '<a href="https://example.com/?a=1&amp;b=2" rel="nofollow">a</a>',
  ],
  ['<a href="http://127.0.0.1:4010/open?id=1">a</a>', '<a href="http://127.0.0.1:4010/open?id=1">a</a>'],
  ['<a href="mailto:a@example.com">a</a>', '<a href="mailto:a@example.com" rel="nofollow">a</a>'],
  ['<a href="javascript:alert(1)">a</a>', 'a'],
  ['<a href="jav&#x61;script:alert(1)">a</a>', 'a'],
  ['<a href=" java\nscript:alert(1)">a</a>', 'a'],
  ['<a href="/relative">a</a>', 'a'],
  [`<img src="${image}" onerror="x()">`, `<img src="${image}" />`],
  ['<img src="https://evil.example.com/a.png">', ''],
  ['<img alt="x">a<a>b</a><span>c</span>', 'abc'],
  ['<ul><li>a<li>b</ul>', '<ul><li>a</li><li>b</li></ul>'],
  ['<ol><li>a<ul><li>b</li></ul></li></ol>', '<ol><li>a<ul><li>b</li></ul></li></ol>'],
  ['<li>a</li>', 'a'],
  [
    '<table><tbody><tr><td colspan="2">a</td></tr><tr><td>b</td><td>c</td></tr></tbody></table>',
    '<table><tr><td>a</td><td></td></tr><tr><td>b</td><td>c</td></tr></table>',
  ],
  ['<table> <tr> <td>a</td> </tr> </table>', '<table><tr><td>a</td></tr></table>'],
  ['<td>a</td>', 'a'],
  ['<table>a<tr>b<td>c<td>d</table>', '<table><tr><td>b</td><td>c</td><td>d</td></tr></table>'],
  ['<table><br><tr><br><td>a<br>b</td></tr></table>', '<table><tr><td>a<br />b</td></tr></table>'],
  ['<table><tr><td><b>a', '<table><tr><td><b>a</b></td></tr></table>'],
  ['<b><i>a</b>b', '<b><i>a</i></b>b'],
  ['</b>a', 'a'],
  ['<b>a', '<b>a</b>'],
  ['a <b', 'a &lt;b'],
  ['<a href="https&colon;//example.com/">a</a>', '<a href="https://example.com/" rel="nofollow">a</a>'],
  ['<a href="javascript&colon;alert(1)">a</a>', 'a'],
  ['caf&eacute; <b>&nGt;</b></>&amp;', 'caf&eacute; <b>&nGt;</b>&amp;'],
  ['a</ b>c<?x?>d', 'acd'],
  [
    '<a title="a > b" href="https://example.com/">x</a>',
    '<a href="https://example.com/" rel="nofollow">x</a>',
  ],
];

for (const [before, after] of unchanged) {
  test(`reduces ${before}`, () => {
    assert.equal(reduced(before), after);
    // What stays once stays again.
    assert.equal(reduced(after), after);
  });
}

test('hostile characters do not take quadratic time: 200,000 are read in one go', () => {
  for (const piece of [
    '<a href="',
    '<script>',
    '<table><tr><td>',
    '<i></b>',
    ...'< <a <b> </b> <!-- x="'.split(' '),
  ]) {
    const began = process.cpuUsage().user;
    reduced(piece.repeat(200_000 / piece.length));
    const seconds = (process.cpuUsage().user - began) / 1e6;
    assert.ok(seconds < 5, `${piece}: ${seconds} s`);
  }
});

test('a brief description has no tags or entities', () => {
  assert.equal(briefDescription('<b>caf&eacute;</b> &nGt; &copy 1&notit;'), 'café ≫⃒ © 1¬it;');
  assert.equal(briefDescription('<h1>A</h1>b &amp; c<br>\n<ul><li>d</li><li>e</li></ul>'), 'A b & c d e');
});

test('comment text has decoded entities, and a line break for each br', () => {
  assert.equal(commentText('caf&eacute;<br><a href="https://example.com/">&lt;b&gt;</a>'), 'café\n<b>');
});

const inComment: readonly [before: string, after: string][] = [
  ["it's > @ada \u{1f44d} & &amp; &gt; \u00e9", 'it&#39;s &gt; &#64;ada &#x1f44d; & &amp; &gt; \u00e9'],
  ["<b>'</b>a<br>", '&#39;a<br />'],
  [
    '<a class="stream-user-id avatar" rel="KUAAAAAA">@Ada</a>',
    '<a class="stream-user-id avatar" rel="KUAAAAAA">&#64;Ada</a>',
  ],
  [
    '<a class="stream-user-id avatar" rel="@followers">x</a>',
    '<a class="stream-user-id avatar" rel="&#64;followers">x</a>',
  ],
];

test('a comment is stored with the entities that the service uses, and its plain text without them', async (t) => {
  shows('stored-html', 'default');
  const emulator = await started(t);
  const path = `/tasks/${emulator.sampleTask}/comments`;
  for (const [before, after] of inComment)
    for (const text of [before, after]) {
      const { body } = await call(emulator, 'POST', path, { form: { text } });
      assert.equal(body.data[0].text, after);
    }
  const plain = await call(emulator, 'GET', `${path}?plainText=true`);
  const texts = valuesOf(plain.body.data, 'text');
  assert.ok(texts.includes("it's > @ada \u{1f44d} & & > \u00e9"), texts.join('\n'));
});

const piece = fc.oneof(
  fc.constantFrom(
    ...'<b> </b> <i > <br> < & &lt; &#39; &copy " \' @ <table> </table> <tr> </tr> <td> </td>'.split(' '),
    ...'<ul> <ol> <li> </li> </ul> color:red ; </a> <script> </script> <!-- --> <h1> </h1> x /'.split(' '),
    ...[' ', '<br />', '<span style="', 'background-color: #fff', '<a href="https://x.example/?a&b'],
    ...[`<img src="${image}">`, '\u{1f44d}'],
  ),
  fc.string({ maxLength: 5 }),
);

test('sanitizing stored text again changes nothing', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 30 }), (pieces) => {
      const once = reduced(pieces.join(''));
      assert.equal(reduced(once), once);
      const escaped = escapeCommentText(pieces.join(''));
      assert.equal(escapeCommentText(escaped), escaped);
    }),
    { numRuns: 2_000 },
  );
});
