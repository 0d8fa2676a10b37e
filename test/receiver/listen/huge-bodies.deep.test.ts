// Bodies of 31 MB with as many values as fit, from anybody: a receiver with a heap of 512 MB stores and forwards each of them, is there
// for the next, starts again, and can be looked at.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { follow } from '#test/sink/running-wm.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { wordsOf } from '#test/support/program/cells.ts';
import { startTarget } from './running-listener.ts';

const bytes = 31 * 1024 * 1024;
const fill = (begin: string, item: string, end: string) =>
  `${begin}${`${item},`.repeat(Math.floor((bytes - begin.length - end.length) / (item.length + 1)))}${item}${end}`;

const bodies: Readonly<Record<string, string>> = {
  'ten million events': fill('[', '{}', ']'),
  'one event with ten million values': fill('[{"eventType":"TaskCreated","taskId":"T1","a":[', '[]', ']}]'),
  'events with a subject each': fill('[', '{"taskId":"T"}', ']'),
  'fields of many names': fill('[{"fields":{"title":"x",', '"":0', '}}]'),
};

/** What one body may take beyond what the process takes without any. */
const mostTimes = 16;

function startWm(typed: string, folder: string) {
  const words = ['--max-old-space-size=512', resolve('bin/wm.js'), 'webhook', ...wordsOf(typed)];
  const env = { PATH: process.env['PATH'], HOME: folder, WM_CONFIG_DIR: folder };
  const running = follow(typed, spawn(process.execPath, words, { env, stdio: ['ignore', 'pipe', 'pipe'] }));
  return { ...running, ended: running.closed.then(([status, signal]) => signal ?? status) };
}

/** Sends it again as the service does: a busy machine may need longer than the receiver waits for the disk. */
async function sendUntilStored(port: string, body: string, key: string): Promise<void> {
  for (;;) {
    const headers = { 'Idempotency-Key': key };
    const { status } = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body, headers });
    if (status === 200) return;
    assert.equal(status, 503);
  }
}

/** In bytes. */
async function peakMemory(pid: number | undefined): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  const [, kilobytes] = /^VmHWM:\s*(\d+) kB$/m.exec(status) ?? [];
  return kilobytes === undefined ? undefined : Number(kilobytes) * 1024;
}

for (const [what, body] of Object.entries(bodies))
  test(`a body of 31 MB: ${what}`, async (context) => {
    const folder = await ownFolder(context);
    const target = await startTarget(context);
    const listen = async () => {
      const flags = `--port 0 --unsigned --forward-to ${target.url} --print TaskDeleted --json`;
      const wm = startWm(`listen ${flags}`, folder);
      context.after(() => wm.kill());
      const [, port = ''] = await wm.says(/Listening on http:\/\/127\.0\.0\.1:(\d+)/);
      return { ...wm, send: (text: string, key: string) => sendUntilStored(port, text, key) };
    };
    const end = async (wm: ReturnType<typeof startWm>) => {
      wm.interrupt();
      await wm.ended;
    };
    const first = await listen();
    const before = await peakMemory(first.pid);
    await first.send(body, '1');
    await first.send('[{"eventType":"TaskCreated","taskId":"T2"}]', '2');
    await target.has(2);
    const after = await peakMemory(first.pid);
    if (before !== undefined && after !== undefined) {
      const times = (after - before) / bytes;
      context.diagnostic(`${times.toFixed(1)} times the body`);
      assert.ok(times < mostTimes, `${times} times the body`);
    }
    await end(first);
    const second = await listen();
    await second.send('[{"eventType":"TaskCreated","taskId":"T3"}]', '3');
    await target.has(3);
    await end(second);
    const replay = `replay 1 --forward-to ${target.url}`;
    for (const typed of ['log', 'log --json', 'log 1 --json', 'log --stuck', replay]) {
      const { ended, errors, output } = startWm(typed, folder);
      assert.equal(await ended, 0, `${typed}: ${errors().slice(-2000)}`);
      if (typed === 'log --json') assert.equal(JSON.parse(output()).length, 3);
    }
    await target.has(4);
    assert.deepEqual(
      target.received.map(({ body }) => body.length).toSorted((a, b) => a - b),
      [43, 43, body.length, body.length],
    );
  });
