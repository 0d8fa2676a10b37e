// `wm task comment`: what is sent for plain text, what is never sent, and a lost response, which names what may be the comment.
// test/transcript/create.txt shows what is printed.

import assert from 'node:assert/strict';
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
