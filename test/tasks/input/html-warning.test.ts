// Tags of a description that the service drops: a warning names them once before the update is sent, and the emulator drops
// exactly those.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';

const update = ['task', 'update', sample.task];

const rows: readonly (readonly [html: string, names: string])[] = [
  [
    '<p>a</p><p class="x">b</p><img src="https://example.com/a.png">',
    '<p> (2), <img> unless it is an attachment of the task (1)',
  ],
  ['<div>a</div><DIV>b</DIV>', '<div> (2)'],
  ['<table><tr><td colspan="2">a</td></tr></table>', 'colspan of <td> (1)'],
  ['<span style="color: red; font-size: 9px">a</span>', 'style of <span> other than its color (1)'],
  ['<span style="background: url(x)">a</span>', '<span> without a color (1)'],
  ['<span style="color: red; background-color: url(x)">a</span>', 'style of <span> other than its color (1)'],
  ['<b style="color:red" onclick="x()">a</b>', 'style of <b> (1), onclick of <b> (1)'],
  ['<a href="javascript:x()">a</a>', '<a> without http:, https:, ftp:, mailto: (1)'],
  ['<script>x()</script>a', '<script> with its content (1)'],
  ['<!-- <i> --><div>a</div><!-- <p>b</p>', '<div> (1), <!-- <p>b</p> without an end (1)'],
  ['if a<b and c>d then', 'and of <b> (1), c of <b> (1)'],
  ['close it with </div> here', '</div> (1)'],
  ['<b>a</b></b>', '</b> (1)'],
  ['<script>x</script></script>b', '<script> with its content (1), </script> (1)'],
  ['a <![CDATA[1 > 0]]> b', '<![CDATA[1 > 0]]> (1)'],
  ['x <?php echo 1 ?> y', '<?php echo 1 ?> (1)'],
  ['<!doctype html>a', '<!doctype html> (1)'],
  ['a </1 x> b </> c', '</1 x> (1), </> (1)'],
  ['a <!b', '<!b (1)'],
  [`a </ ${'x'.repeat(40)}> b`, `</ ${'x'.repeat(27)}... (1)`],
  ['<a>a</a>', '<a> without http:, https:, ftp:, mailto: (1)'],
  // What a reference stands for counts; one that stands for nothing stays as it is.
  ['<a href="&#106;avascript:x()">a</a>', '<a> without http:, https:, ftp:, mailto: (1)'],
  ["<a href='&#x6A;avascript:x()'>a</a>", '<a> without http:, https:, ftp:, mailto: (1)'],
  ['<a href="java&Tab;script&colon;x()">a</a>', '<a> without http:, https:, ftp:, mailto: (1)'],
  ['<a href="&no;&#0;&#xD800;&#1114112;">a</a>', '<a> without http:, https:, ftp:, mailto: (1)'],
  [`<${'x'.repeat(30)}><${'y'.repeat(31)}>`, `<${'x'.repeat(30)}> (1), <${'y'.repeat(30)}...> (1)`],
];

test('warns about what is dropped, and sends the update', async (context) => {
  const { wm, task } = await emulated(context);
  for (const [html, names] of rows) {
    const ran = await wm([...update, '--description', html], { exit: 0 });
    assert.equal(ran.errors.trim(), `The service drops: ${names}. See wm task update --help html`);
    assert.notEqual((await task(sample.task)).description, html);
  }
});

test('tags that are kept cause no warning', async (context) => {
  const { wm, task } = await emulated(context);
  for (const html of [
    'a < b & c',
    '1 <2 <= 3 <- 4 <3',
    '<h1>a</h1><h6>b</h6><strong>c</strong><b>d</b><em>e</em><i>f</i><u>g</u><s>h</s><br />',
    '<ul><li>a</li></ul><ol><li>b</li></ol><table><tr><td>c</td></tr></table>',
    '<span style="color: red;">a</span><span style="background-color: #c8e6c9; color: red;">b</span>',
    '<a href="https://example.com/" rel="nofollow">b</a>',
  ]) {
    const ran = await wm([...update, '--description', html], { exit: 0 });
    assert.equal(ran.errors, '');
    assert.equal((await task(sample.task)).description, html.replaceAll(/<(?=[ \d=-])/g, '&lt;'));
  }
});

test('complete comments, even empty ones, cause no warning', async (context) => {
  const { wm } = await emulated(context);
  for (const html of ['<!-- x -->a', '<!-->a', '<!--->a']) {
    const ran = await wm([...update, '--description', html]);
    assert.equal(ran.errors, '', html);
  }
});

test('from a file, and in a dry run', async (context) => {
  const { wm, folder } = await emulated(context);
  const file = join(folder, 'notes.html');
  await writeFile(file, '<p>a</p>');
  const ran = await wm([...update, '--description', `@${file}`, '--dry-run'], { exit: 0 });
  assert.ok(ran.errors.includes('The service drops: <p> (1).'), ran.errors);
});

test('one line for many rows', async (context) => {
  const { wm } = await emulated(context);
  const input = `id,description\n${sample.task},<p>a</p><p>b</p>\n${sample.backlog},<p>c</p><div>d</div>\n${sample.milestone},<b>e</b>\n`;
  const ran = await wm(['task', 'update', '--from', '-', '--yes'], { input, exit: 0 });
  assert.deepEqual(ran.errors.match(/.*The service drops.*/g), [
    'The service drops from descriptions: <p> (2 rows), <div> (1 row). See wm task update --help html',
  ]);
});

const inUrls: readonly (readonly [html: string, names: string])[] = [
  ['see https://x.example/e?a=1&copy=2&region=eu', '&copy (1), &reg (1)'],
  ['https://x.example/?a&amp=1 HTTPS://x.example/?&lt=1&lt=2', '&amp (1), &lt (2)'],
  ['<a href="https://x.example/?a=1&reg">x</a>', '&reg (1)'],
  ['<a href="mailto:a@x.example?subject=a&sect;=b">x</a>', '&sect; (1)'],
  ['https://x.example/?a&lang;=1 &nGt;', '&lang; (1)'],
];

test('warns about an entity in a URL that the service reads as a character', async (context) => {
  const { wm, task } = await emulated(context);
  for (const [html, names] of inUrls) {
    const ran = await wm([...update, '--description', html]);
    assert.equal(
      ran.errors,
      `The service reads these as characters in URLs: ${names}. Write &amp; for &. See wm task update --help html\n`,
    );
    assert.equal(ran.status, 0, ran.errors);
  }
  for (const html of [
    'https://x.example/?a=1&amp;copy=2&b=3&theta=1&lang=en',
    'tea &copy 2 <!-- https://x.example/?a&copy=2 -->',
    '<a href="https://x.example/?a=1&copy=2&region=eu">x</a>',
    'https://x.example/&nbsp;&#169;&lt;b&gt;',
    '<a href="https&colon;//x.example/" rel="&copy;">x</a>',
  ]) {
    const ran = await wm([...update, '--description', html]);
    assert.equal(ran.errors, '', html);
    assert.equal(ran.status, 0);
    const { briefDescription } = await task(sample.task);
    assert.ok(!/https:[^ ]*[®¶]/.test(String(briefDescription)), String(briefDescription));
  }
  const comment = await wm(['task', 'comment', sample.task, 'https://x.example/?a&copy=2', '--html']);
  assert.match(comment.errors, /in URLs: &copy \(1\)\. Write &amp; for &\. See wm task comment --help/);
  const input = `id,description\n${sample.task},https://x.example/?a&copy=2&copy=3\n${sample.backlog},x\n`;
  const many = await wm(['task', 'update', '--from', '-', '--yes'], { input });
  assert.match(
    many.errors,
    /^The service reads these as characters in URLs of descriptions: &copy \(1 row\)\./m,
  );
});
