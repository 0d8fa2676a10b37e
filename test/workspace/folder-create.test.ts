// `wm folder create`: in a folder or a space, by title; a lost response names what may be the folder.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';
import { call } from '#test/support/service/start-emulator.ts';

test('creates a folder in a parent given by title, and prints it', async (context) => {
  const { wm, emulator } = await emulated(context);
  const line = 'folder create Drafts --folder Studio --shareds ben@paper-lantern.example --json';
  const ran = await wm(line.split(' '), { exit: 0 });
  const { id, title, childIds, scope, parentIds } = JSON.parse(ran.output);
  assert.deepEqual({ title, childIds, scope }, { title: 'Drafts', childIds: [], scope: 'WsFolder' });
  assert.deepEqual(parentIds, [sample.space]);
  const piped = await wm(['folder', 'create', 'Below', '--folder', id, '--description', '<b>x</b><video>']);
  assert.match(piped.output, /^\w+\tBelow\n$/);
  assert.match(piped.errors, /The service drops: <video> \(1\)/);
  const { data } = (await call(emulator, 'GET', '/folders')).body;
  const made = data.find((one: { id: string }) => one.id === id);
  assert.deepEqual(made.childIds, [piped.output.split('\t')[0]]);
});

test('the request', async () => {
  const flags = ['--folder', sample.folder, '--shareds', 'KUAABENQ', '--description', 'x'];
  const ran = await run(['folder', 'create', 'a b', ...flags, '--dry-run', '--json'], {
    environment: { WM_TOKEN: 'token', WM_HOST: 'api.example.com' },
  });
  const { method, url, body } = JSON.parse(ran.output);
  assert.equal(`${method} ${url}`, `POST https://api.example.com/api/v4/folders/${sample.folder}/folders`);
  assert.equal(body, 'title=a%20b&description=x&shareds=%5B%22KUAABENQ%22%5D');
});

for (const [typed, message] of [
  [['x'], 'Missing: --folder'],
  [['', '--folder', 'F1'], 'TITLE: "" must not be empty'],
  [['x', '--folder', 'F1', '--description', 'x'.repeat(1_000_001)], 'the limit is 1000000'],
] as const) {
  test(`nothing is sent for: ${message}`, async () => {
    const ran = await run(['folder', 'create', ...typed], {
      exit: 2,
      environment: { WM_HOST: 'api.example.com' },
    });
    assert.ok(ran.errors.includes(message), ran.errors);
  });
}

test('a lost response: names the folders with this title there, exit 9', async (context) => {
  const { wm, control } = await emulated(context);
  const create = (status: number) =>
    wm(['folder', 'create', 'Copy', '--folder', sample.secondSpace], { exit: status });
  await control('faults', { request: 'createFolder', cutAfter: 0, when: 'before' });
  const none = await create(9);
  // The sample has a folder of this title elsewhere.
  assert.match(none.errors, /No folder has this title now: it was not created, unless it appears later\./);
  await create(0);
  await control('clock', { advanceSeconds: 60 });
  await control('faults', { request: 'createFolder', cutAfter: 0, when: 'after' });
  const two = await create(9);
  assert.match(
    two.errors,
    /2 folders have this title, created now or earlier: \w+ \(\S+Z\), \w+ \(\S+Z\)\n {2}Check before/,
  );
  assert.match(two.errors, /wm folder list\n/);
  const [newest = '', oldest = ''] = two.errors.match(/\S+Z(?=\))/g) ?? [];
  assert.ok(newest > oldest, two.errors);
});
