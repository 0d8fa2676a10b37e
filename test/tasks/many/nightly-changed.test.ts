// --resume after the file has changed: whose rows are named as left. test/transcript/task-nightly.txt has what is said of them.

import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { aroundHttp } from '#test/support/service/around-http.ts';
import { createWorld } from '#world/create-world.ts';
import type { Http } from '#world/world.ts';

const { task: first, backlog: second, milestone: third } = sample;

/** A file of three rows, of which the second and the third are left. */
async function endedEarly(context: TestContext, ...more: string[]) {
  const service = await emulated(context);
  const { wm, folder } = service;
  const path = join(folder, 'tasks.csv');
  const rows = (...lines: string[]) => writeFile(path, `id,title\n${lines.join('\n')}\n`);
  await rows(`${first},a`, `${second},b`, `${third},c`);
  const argv = ['task', 'update', '--from', path, '--yes', '--concurrency', '1', '--no-undoable', ...more];
  let requests = 0;
  const http = aroundHttp(async (_, pass) =>
    ++requests > 1 ? { fault: 'tls', sent: false, detail: 'it has expired' } : pass(),
  );
  const ran = await wm([...argv, '--resume'], { world: { http }, exit: 8 });
  assert.match(ran.errors, /wm: 2 of 3 rows were not sent\n/);
  return { ...service, path, rows, argv, tonight: () => wm([...argv, '--resume']) };
}

for (const [name, mine, other] of [
  ['WM_TOKEN', [], ['--profile', 'home']],
  ['a profile', ['--profile', 'work'], ['--profile', 'home']],
] as const)
  test(`another sign-in neither names nor ends what a run left under ${name}`, async (context) => {
    const { wm, rows, argv, emulator } = await endedEarly(context);
    for (const profile of ['work', 'home']) {
      const login = ['login', '--with-token', '--quiet', '--profile', profile];
      await wm(login, { input: emulator.token, exit: 0 });
    }
    await rows(`${first},b`, `${second},c`);
    const http: Http = { send: async () => ({ fault: 'tls', sent: false, detail: 'it has expired' }) };
    await wm([...argv, ...mine], { world: { http }, exit: 7 });
    await rows(`${first},new`);
    const others = [
      () => wm([...argv, ...other, '--resume']),
      () => wm([...argv, '--resume'], { environment: { WM_TOKEN: emulator.tokens.ben } }),
    ];
    for (const run of others) {
      const ran = await run();
      assert.doesNotMatch(ran.errors, /has changed|an earlier/, ran.errors);
    }
    const ran = await wm([...argv, ...mine, '--resume'], { exit: 8 });
    assert.match(ran.errors, /has changed since a run that ended early/);
  });

test('does not report rows left by a run in progress', async (context) => {
  const { folder, rows, tonight } = await endedEarly(context);
  const journals = join(folder, 'config', 'state', 'bulk');
  const [name = ''] = (await readdir(journals)).filter((one) => one.endsWith('.ndjson'));
  const held = await createWorld().lock.acquire(join(journals, `${name}.lock`), { timeoutMs: 0 });
  await rows(`${first},newer`);
  assert.equal((await tonight()).status, 0);
  await held?.release();
});
