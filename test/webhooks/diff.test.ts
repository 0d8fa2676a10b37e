// How webhooks of which the service shows nearly nothing differ from a file, and what a terminal shows. The rest is in
// test/transcript/webhook-diff*.txt.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectStreams } from '#test/support/program/streams.ts';
import { hooks } from '#test/support/service/scripted-service.ts';
import { fileOf, withFile } from './hooks-file/with-file.ts';
import { answering } from './records.ts';

const host = 'http://hooks.example.com/';
const account = (name: string, ...extraLines: readonly string[]) =>
  [`url: ${host}${name}`, 'scope: account', ...extraLines].join('\n');
test('ignores a webhook without a URL, and sets a missing status', async (context) => {
  const { write, file } = await withFile(context);
  const { wm } = await answering(context, {
    'GET webhooks': [hooks({ id: 'IEAAAAAQJAAAAAAB' }, { id: 'IEAAAAAQJAAAAAAC', hookUrl: `${host}a` })],
  });
  await write(fileOf(account('a', 'events: all', 'status: Active')));
  const { output } = await wm(['webhook', 'diff', file]);
  assert.match(output, /^other\tIEAAAAAQJAAAAAAB\tno URL\t/m);
  assert.match(output, /^resume\tIEAAAAAQJAAAAAAC\t.*status: Active in the file, none at the service/m);
});

test('on a terminal, lists only differences, counts all webhooks, and names the blocked ones', async (context) => {
  const { wm, create, write, file } = await withFile(context);
  const names = Array.from({ length: 30 }, (_, index) => `same${index}`);
  for (const name of names) await create(`${host}${name}`, '--events', 'TaskCreated');
  for (const name of ['blocked', 'other']) await create(`${host}${name}`, '--events', 'TaskCreated');
  const same = names.map((name) => account(name, 'events: [TaskCreated]'));
  const shown = async () => {
    const { streams, texts } = collectStreams({ isTerminal: true, columns: 80 });
    const { status } = await wm(['webhook', 'diff', file, '--no-color'], { world: { streams } });
    return { status, output: texts.output };
  };
  await write(fileOf(...same));
  const none = await shown();
  assert.deepEqual([none.status, none.output.trim()], [0, '']);
  const quiet = await wm(['webhook', 'diff', file]);
  assert.match(quiet.errors, /^None of 32 differs from the file\.$/m);
  await write(fileOf(...same, account('new', 'events: all'), account('blocked', 'events: [TaskDeleted]')));
  const ran = await shown();
  assert.equal(ran.status, 10);
  assert.doesNotMatch(ran.output, /same\d|example\.com\/other/);
  assert.match(ran.output, /create/);
  assert.match(
    (await wm(['webhook', 'diff', file])).errors,
    /^wm: 3 of 34 differ from the file; 2 blocked: http:\/\/hooks\.example\.com\/blocked$/m,
  );
});
