// What a process of `wm webhook listen` prints and no program reads, as it is or through a filter: the process ends, also while the filter
// runs for ever, and what was not printed waits.

import assert from 'node:assert/strict';
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import type { Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { objectsIn } from '#test/support/program/cells.ts';
import { textsOf } from '#test/support/program/json-messages.ts';
import { deliver, secret } from './running-listener.ts';

const created = (title: unknown) => [{ eventType: 'TaskCreated', taskId: 'IEAAAAAQKQAB5BNG', title }];

type Run = ChildProcessByStdio<null, Readable, Readable>;

/** The program itself: only a real pipe fills. Its standard output is read by whoever asks for it. */
async function start(test: TestContext, folder: string, typed: readonly string[]) {
  const listener: Run = spawn(
    process.execPath,
    [resolve('bin/wm.js'), 'webhook', 'listen', '--port', '0', ...typed],
    {
      env: { PATH: process.env['PATH'], HOME: folder, WM_CONFIG_DIR: folder, WM_WEBHOOK_SECRET: secret },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  test.after(() => listener.kill('SIGKILL'));
  // What it has printed may arrive after its exit. Its output is not read, so there is no `close` to wait for.
  const ended = Promise.all([once(listener, 'exit'), once(listener.stderr, 'end')]).then(([exit]) => exit);
  let errors = '';
  const port = await new Promise<number>((found, fail) => {
    listener.stderr.setEncoding('utf8').on('data', (piece) => {
      errors += piece;
      const [, digits] = /Listening on http:\/\/127\.0\.0\.1:(\d+)/.exec(errors) ?? [];
      if (digits !== undefined) found(Number(digits));
    });
    listener.once('exit', (status) => fail(new Error(`it ended with ${status}: ${errors}`)));
  });
  return { listener, port, ended, errors: () => errors };
}

const skip = process.platform === 'win32' && 'no process gets SIGTERM there';

for (const how of [[], ['--jq', '.'], ['--jq', 'def f: f; if .kind == "delivery" then f else . end']])
  test(`SIGTERM ends it even if its output is not read: ${how.join(' ')}`, { skip }, async (context) => {
    const folder = await ownFolder(context);
    const unread = await start(context, folder, ['--json', '--drain', '1', ...how]);
    const sizes = [1, 2_000_000, 2_000_001];
    for (const size of sizes) assert.equal(await deliver(unread, created('x'.repeat(size))), 200);
    unread.listener.kill('SIGTERM');
    assert.deepEqual(await unread.ended, [0, null], unread.errors());
    const [, waiting = ''] =
      /^3 received, (\d) waiting\. The next wm webhook listen forwards/m.exec(textsOf(unread.errors())) ?? [];
    assert.ok(Number(waiting) >= 2, unread.errors());

    const read = await start(context, folder, ['--json']);
    let output = '';
    await new Promise<void>((found) => {
      read.listener.stdout.setEncoding('utf8').on('data', (piece) => {
        output += piece;
        if (output.includes('"sequence":3') && output.endsWith('\n')) found();
      });
    });
    read.listener.kill('SIGTERM');
    assert.deepEqual(await read.ended, [0, null]);
    const titles = objectsIn(output)
      .filter(({ kind }) => kind === 'delivery')
      .map(({ payload }) => payload[0].title.length);
    assert.deepEqual(titles, sizes.slice(-Number(waiting)));
  });
