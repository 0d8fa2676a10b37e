// `wm task comment`: plain text stays as it is typed, HTML is checked against what a comment keeps, and a lost response names
// what may be the comment.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';

const environment = { WM_TOKEN: 'token', WM_HOST: 'api.example.com' };

async function sent(...typed: readonly string[]): Promise<{ url: string; text: string | null }> {
  const ran = await run(['task', 'comment', sample.task, ...typed, '--dry-run', '--json'], { environment });
  assert.equal(ran.status, 0, ran.errors);
  const { url, body } = JSON.parse(ran.output);
  return { url, text: new URLSearchParams(body).get('text') };
}

test('plain text is sent so that nothing in it is a tag; HTML is sent unchanged', async () => {
  assert.deepEqual(await sent('a <b> & "c" &amp;\nd\r\ne\n'), {
    url: `https://api.example.com/api/v4/tasks/${sample.task}/comments`,
    text: 'a &lt;b&gt; &amp; "c" &amp;amp;<br />d<br />e',
  });
  assert.equal((await sent('a<br>b & c\n', '--html')).text, 'a<br>b & c\n');
  assert.equal((await sent('@@ben')).text, '@ben');
});

test('plain text is printed as typed, even where the service stores it as HTML', async (context) => {
  const { wm } = await emulated(context);
  const ran = await wm(['task', 'comment', sample.task, 'if a<b & "c"\nthen\n']);
  assert.match(ran.output, /\tif a<b & "c"\\nthen\n$/);
  const html = await wm(['task', 'comment', sample.task, 'a<br>b', '--html']);
  assert.match(html.output, /\ta<br \/>b\n$/);
});

test('from a file and from standard input; printed as the service stores it', async (context) => {
  const { wm, folder } = await emulated(context);
  const file = join(folder, 'notes.txt');
  await writeFile(file, 'Two\nlines <here>\n');
  const fromFile = await wm(['task', 'comment', sample.task, `@${file}`, '--json'], { exit: 0 });
  const made = JSON.parse(fromFile.output);
  assert.deepEqual(
    [made.text, made.taskId, made.authorId],
    ['Two<br />lines &lt;here&gt;', sample.task, sample.ada],
  );
  const fromInput = await wm(['task', 'comment', `https://a.example/open?id=${sample.task}`, '-'], {
    input: 'From a pipe\n',
  });
  assert.match(
    fromInput.output,
    new RegExp(`^\\w+\\t${sample.task}\\t${sample.ada}\\t[^\\t]+\\tFrom a pipe\\n$`),
  );
});

for (const [html, dropped] of [
  ['<b>x</b>', '<b> (1)'],
  ['<a href="javascript:x">x</a>', '<a> without http:, https:, ftp:, mailto: (1)'],
  ['<a class="stream-user-id avatar" rel="ben">x</a>', '<a> without http:, https:, ftp:, mailto: (1)'],
  ['<blockquote>x</blockquote>', '<blockquote> without the attributes of a quote (1)'],
  ['if a<br and c>d', 'and of <br> (1), c of <br> (1)'],
  ['<a href="https://example.com" title=x>y</a>', 'title of <a> (1)'],
  ['x </div> y', '</div> (1)'],
  ['<script>x</script>y', '<script> with its content (1)'],
] as const) {
  test(`the service drops from a comment: ${dropped} of ${html}`, async (context) => {
    const { wm } = await emulated(context);
    const ran = await wm(['task', 'comment', sample.task, html, '--html'], { exit: 0 });
    assert.equal(ran.errors, `The service drops: ${dropped}. See wm task comment --help\n`);
  });
}

test('tags that a comment keeps cause no warning, and the emulator keeps them', async (context) => {
  const { wm } = await emulated(context);
  const html = [
    'a<br />',
    '<a href="https://example.com/" rel="nofollow">b</a>',
    '<a class="stream-user-id avatar" rel="KUAABENQ">&#64;Ben</a>',
    '<a class="stream-user-id avatar" rel="&#64;followers">c</a>',
    '<blockquote data-entrytype="task" data-entryid="T1" data-title="x">c</blockquote>',
  ].join('');
  const ran = await wm(['task', 'comment', sample.task, html, '--html', '--json']);
  assert.equal(ran.errors, '');
  assert.equal(JSON.parse(ran.output).text, html);
});

for (const [typed, message] of [
  [[sample.task, ''], 'TEXT: the comment is empty'],
  [[sample.task, '<br>', '--html'], 'TEXT: the comment is empty'],
  [[sample.task, 'x'.repeat(10_001)], 'has 10001 characters; the limit is 10000'],
  [[sample.task, '<'.repeat(2_501)], 'has 10004 characters; the limit is 10000'],
  [[sample.task, '@no-such-file'], 'TEXT: no-such-file does not exist'],
  [[sample.task, '@'], 'TEXT: no file name after @'],
  [[sample.task, '-'], 'TEXT: standard input is empty'],
  [['https://workspace.example.com/tasks/12', 'x'], 'is not a permalink with an id'],
] as const) {
  test(`nothing is sent for: ${message}`, async () => {
    const ran = await run(['task', 'comment', ...typed], { environment: { WM_HOST: 'api.example.com' } });
    assert.equal(ran.status, 2, ran.errors);
    assert.ok(ran.errors.includes(message), ran.errors);
    assert.doesNotMatch(ran.errors, /--TEXT|TEXT ''/);
  });
}

test('a comment of 10,000 characters is sent', async () => {
  assert.equal((await sent('x'.repeat(10_000))).text?.length, 10_000);
});

test('a lost response: lists the comments with the same text, however the service writes them; exit 9', async (context) => {
  const { wm, control } = await emulated(context);
  const comment = () => wm(['task', 'comment', sample.task, 'One\n  & two', '--json']);
  await control('faults', { request: 'createTaskComment', cutAfter: 0, when: 'after' });
  const lost = await comment();
  assert.equal(lost.status, 9, lost.errors);
  const { message, hint } = JSON.parse(lost.errors).error;
  assert.match(message, /^The outcome of creating the comment is unknown/);
  assert.match(
    hint,
    /^One comment has this text on the task, created now or earlier: IEAAAAAQIM\w+ \(\d{4}-/,
  );
  assert.match(hint, /\nCheck before you send it again$/);
  assert.equal((await comment()).status, 0);
  for (let i = 0; i < 5; i++) assert.equal((await comment()).status, 0);
  await control('faults', { request: 'createTaskComment', cutAfter: 0, when: 'before' });
  const many = JSON.parse((await comment()).errors).error.hint;
  assert.match(many, /^7 comments have this text on the task, .*, and 2 more\n/);
});
