// Bodies of 31 MB with as many values as fit, from anybody: a receiver with a heap of 512 MB stores and forwards each of them, is there
// for the next, starts again, and can be looked at.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { ownFolder } from '#test/support/disk/own-folder.ts';
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

function startWm(words: readonly string[], folder: string) {
  const child = spawn(
    process.execPath,
    ['--max-old-space-size=512', resolve('bin/wm.js'), 'webhook', ...words],
    {
      env: { PATH: process.env['PATH'], HOME: folder, WM_CONFIG_DIR: folder },
      stdio: ['ignore', 'pipe', 'pipe'],
    },
  );
  const printed = { output: '', errors: '' };
  const lookers = new Set<() => void>();
  for (const [stream, name] of [
    [child.stdout, 'output'],
    [child.stderr, 'errors'],
  ] as const)
    stream.setEncoding('utf8').on('data', (piece: string) => {
      if (printed[name].length < 1_000_000) printed[name] += piece;
      for (const look of lookers) look();
    });
  const ended = once(child, 'close').then(([status, signal]) => ({ status: signal ?? status, ...printed }));
  return {
    child,
    ended,
    prints: (pattern: RegExp) =>
      Promise.race([
        new Promise<RegExpExecArray>((found) => {
          const look = () => {
            const match = pattern.exec(printed.errors);
            if (match) found(match);
          };
          lookers.add(look);
          look();
        }),
        ended.then(({ status, errors }) => assert.fail(`it ended with ${status}: ${errors.slice(-2000)}`)),
      ]),
  };
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
      const words = ['--port', '0', '--unsigned', '--forward-to', target.url, '--print', 'TaskDeleted'];
      const wm = startWm(['listen', ...words, '--json'], folder);
      context.after(() => wm.child.kill('SIGKILL'));
      const [, port = ''] = await wm.prints(/Listening on http:\/\/127\.0\.0\.1:(\d+)/);
      return { ...wm, send: (text: string, key: string) => sendUntilStored(port, text, key) };
    };
    const end = async (wm: ReturnType<typeof startWm>) => {
      wm.child.kill('SIGTERM');
      return wm.ended;
    };
    const first = await listen();
    const before = await peakMemory(first.child.pid);
    await first.send(body, '1');
    await first.send('[{"eventType":"TaskCreated","taskId":"T2"}]', '2');
    await target.has(2);
    const after = await peakMemory(first.child.pid);
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
    for (const words of [['log'], ['log', '--json'], ['log', '1', '--json'], ['log', '--stuck']]) {
      const { status, errors, output } = await startWm(words, folder).ended;
      assert.equal(status, 0, `${words.join(' ')}: ${errors.slice(-2000)}`);
      if (words[1] === '--json') assert.equal(JSON.parse(output).length, 3);
    }
    const replayed = await startWm(['replay', '1', '--forward-to', target.url], folder).ended;
    assert.equal(replayed.status, 0, replayed.errors.slice(-2000));
    await target.has(4);
    assert.deepEqual(
      target.received.map(({ body }) => body.length).toSorted((a, b) => a - b),
      [43, 43, body.length, body.length],
    );
  });
