// What an update changed is shown by reading the task afterwards. If that fails, the update still counts.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { listening } from '#test/support/service/listening.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { skip } from '#test/support/terminal/terminal.ts';

const id = sample.task;

test('an update that cannot be read back still counts, and shows its response', {
  skip,
}, async (context) => {
  const stage = await setStage(context);
  // In front of the emulator: no task can be read once one was changed.
  let changed = false;
  const server = createServer(async (request, response) => {
    if (changed && request.method === 'GET') {
      response.writeHead(403, { 'Content-Type': 'application/json' });
      return response.end(JSON.stringify({ error: 'not_allowed', errorDescription: 'no more' }));
    }
    const upstream = await fetch(`http://${stage.emulator.host}${request.url}`, {
      method: request.method ?? 'GET',
      headers: { Authorization: request.headers.authorization ?? '' },
    });
    changed ||= request.method === 'PUT';
    response.writeHead(upstream.status, { 'Content-Type': 'application/json' });
    return response.end(await upstream.text());
  });
  const host = `127.0.0.1:${await listening(server)}`;
  context.after(() => server.close());
  const terminal = openInProcess(context, stage, `wm task update ${id} --title 'Ship it'`, {
    columns: 200,
    environment: { WM_HOST: host },
  });
  await terminal.shows('Updated, but the changes could not be read: ');
  await terminal.shows(/title: +Ship it/);
  assert.equal(await terminal.ended, 0);
});
