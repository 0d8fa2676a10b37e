// `wm task attach`: the same bytes in each attempt, a file that changes meanwhile, and the progress. test/transcript/create.txt shows the
// others.

import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { fault } from '#test/support/disk/memory-disk.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';
import { listening } from '#test/support/service/listening.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';

const attach = ['task', 'attach', sample.task] as const;

/** A service that takes each file whole, and says what it got. */
async function receiving(context: TestContext) {
  const got: { length: string | undefined; digest: string }[] = [];
  const server = createServer(async (request, response) => {
    const hash = createHash('sha256');
    for await (const piece of request) hash.update(piece);
    got.push({ length: request.headers['content-length'], digest: hash.digest('hex') });
    response.writeHead(got.length === 1 ? 429 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ kind: 'attachments', data: [{ id: 'A1' }] }));
  });
  context.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host: `127.0.0.1:${await listening(server)}`, got };
}

for (const through of ['node', 'undici'] as const) {
  test(`the same bytes in each attempt, through ${through}`, async (context) => {
    const { host, got } = await receiving(context);
    const { folder } = await emulated(context);
    const bytes = randomBytes(2_000_003);
    const file = join(folder, 'large.bin');
    await writeFile(file, bytes);
    const real = createWorld();
    const http = through === 'node' ? real.http : await real.http.withConnections?.(1);
    const ran = await run([...attach, file], {
      environment: { WM_TOKEN: 'token', WM_HOST: host },
      world: { clock: { ...real.clock, sleep: async () => {} }, ...(http ? { http } : {}) },
    });
    assert.equal(ran.status, 0, ran.errors);
    const digest = createHash('sha256').update(bytes).digest('hex');
    assert.deepEqual(got, [
      { length: '2000003', digest },
      { length: '2000003', digest },
    ]);
  });
}

test('a file that shrinks or disappears during the upload: nothing more is sent, and the outcome is unknown', async (context) => {
  const { wm, folder, environment } = await emulated(context);
  const file = join(folder, 'shrinks');
  await writeFile(file, 'abc');
  const files = createFiles(environment, process.platform, folder);
  const ran = await wm([...attach, file], {
    world: { files: { ...files, size: async () => 100_000 } },
    exit: 9,
  });
  assert.match(ran.errors, /the file became shorter while it was being sent/);
  assert.match(ran.errors, /No attachment has this name on the task now/);
  const size = async (path: string) => {
    await rm(path);
    return 3;
  };
  const gone = await wm([...attach, file], { world: { files: { ...files, size } }, exit: 9 });
  assert.ok(gone.errors.includes(`FILE: ${file} does not exist any more\n`), gone.errors);
});

test('a file that the user may not read is an error before anything is sent', async (context) => {
  const { wm, folder, environment } = await emulated(context);
  const file = join(folder, 'locked');
  await writeFile(file, 'abc');
  const open = () => Promise.reject(fault('EACCES', `open ${file}`));
  const files = { ...createFiles(environment, process.platform, folder), openForReading: open, stream: open };
  const ran = await wm([...attach, file], { world: { files }, exit: 2 });
  assert.equal(ran.errors, `wm: FILE: cannot read ${file}\n  permission denied (EACCES)\n`);
});

test('progress, if a file takes long', async (context) => {
  const { wm, folder } = await emulated(context);
  const file = join(folder, 'slow.bin');
  await writeFile(file, randomBytes(1_000_000));
  const real = createWorld();
  const shows: (() => void)[] = [];
  const after = (_: number, show: () => void) => {
    shows.push(show);
    return () => {};
  };
  const clock = { ...real.clock, after };
  const http = {
    ...real.http,
    send: async (...given: Parameters<typeof real.http.send>) => {
      const outcome = await real.http.send(...given);
      for (const show of shows.splice(0)) show();
      return outcome;
    },
  };
  const ran = await wm([...attach, file], { world: { clock, http }, exit: 0 });
  assert.match(ran.errors, /slow\.bin: 100 % of 1000000 bytes\n/);
});
