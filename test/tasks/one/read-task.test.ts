// The previous values of many tasks are read together. A URL of very long ids could be rejected on its way, so it is divided.

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { run } from '#test/support/program/program.ts';
import { jsonReply, startRawServer } from '#test/support/service/raw-server.ts';
import { createFiles } from '#world/files.ts';

test('the ids of a read have at most 6000 characters; each task is read once', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'wm-command-'));
  const server = await startRawServer((request) => {
    const ids = /^\w+ \S+\/tasks\/([^?\s]+)/.exec(request)?.[1]?.split(/,|%2C/) ?? [];
    return jsonReply(200, { kind: 'tasks', data: ids.map((id) => ({ id: decodeURIComponent(id) })) });
  });
  context.after(async () => {
    await server.close();
    await rm(folder, { recursive: true });
  });
  // 24 of these are 6023 characters with their commas, and 23 are fewer.
  const ids = Array.from({ length: 24 }, (_, index) => `T${String(index).padStart(7, '0')}`.padEnd(250, 'x'));
  const environment = { WM_TOKEN: 'token', WM_HOST: server.host, WM_CONFIG_DIR: folder };
  const files = createFiles(environment, process.platform, folder);
  const argv = ['task', 'update', ...ids, '--title', 'x', '--undoable', '--yes'];
  const ran = await run(argv, { environment, world: { files } });
  assert.equal(ran.status, 0, ran.errors);
  const reads = server.requests
    .filter((request) => request.startsWith('GET '))
    .map((request) => /\/tasks\/([^?\s]+)/.exec(request)?.[1]?.split(/,|%2C/) ?? []);
  assert.deepEqual(reads, [ids.slice(0, 12), ids.slice(12)]);
});
