// A command that was frozen for longer than its --timeout, while the response came: a real process, really stopped.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestContext, test } from 'node:test';
import { checkpoint } from '#test/support/gate.ts';
import { canStop, continueProcess, freezeFor, stopProcess } from '#test/support/process/stopped-process.ts';
import { listening } from '#test/support/service/listening.ts';
import { canary, taskId } from '#test/support/service/scripted-service.ts';

test(
  'task update --timeout 3, stopped for 4 s after the response has arrived, exits 0',
  canStop,
  async (context) => {
    const gate = checkpoint();
    const requests: string[] = [];
    const server = createServer(async (request, response) => {
      requests.push(`${request.method} ${request.url}`);
      gate.reach();
      await gate.opened;
      response.writeHead(200, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify({ kind: 'tasks', data: [{ id: taskId, title: 'x' }] }));
    });
    const host = `127.0.0.1:${await listening(server)}`;
    context.after(() => server.close());
    const { pid, ended, errors } = await start(context, host);
    await gate.reached;
    await stopProcess(pid);
    gate.open();
    await freezeFor(4000);
    continueProcess(pid);
    assert.equal(await ended, 0, await errors);
    assert.equal(requests.length, 1, requests.join(', '));
  },
);

async function start(context: TestContext, host: string) {
  const folder = await mkdtemp(join(tmpdir(), 'wm-frozen-'));
  context.after(() => rm(folder, { recursive: true }));
  const typed = ['task', 'update', taskId, '--title', 'x', '--timeout', '3'];
  const child = spawn(process.execPath, [resolve('bin/wm.js'), ...typed], {
    env: { PATH: process.env['PATH'], HOME: folder, WM_CONFIG_DIR: folder, WM_TOKEN: canary, WM_HOST: host },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  context.after(() => child.kill('SIGKILL'));
  const ended = once(child, 'close').then(([status]) => status);
  const { pid } = child;
  assert.ok(pid);
  child.stdout.resume();
  return { pid, ended, errors: text(child.stderr) };
}
