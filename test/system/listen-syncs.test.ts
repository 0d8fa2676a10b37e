// The system calls of `wm webhook listen` under load: no 2xx leaves before the fdatasync that covers its delivery has ended.
// A kill cannot show that, since the system keeps what was written and not yet synced.

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sign } from '#contract/signature.ts';
import { readSyncTrace, type SyncTrace } from './sync-trace.ts';

const secret = 'a secret for the trace';
const key = /key-\d+-\d+/;
const calls = 'read,readv,recvfrom,recvmsg,write,writev,pwrite64,pwritev,sendto,sendmsg,fdatasync,fsync';
const limits = { skip: process.platform === 'linux' ? false : 'needs strace', timeout: 180_000 };

/** Over each connection one delivery after the other; how many had a 200. */
async function deliver(port: number, connections: number, each: number): Promise<number> {
  const one = (agent: Agent, name: string): Promise<number> =>
    new Promise((done, reject) => {
      const body = JSON.stringify([{ eventType: 'TaskCreated', taskId: 'IEAAAAAQKQAAAAAA', note: name }]);
      const headers = {
        'Content-Length': body.length,
        'X-Hook-Signature': sign(secret, body),
        'Idempotency-Key': name,
      };
      request({ agent, host: '127.0.0.1', port, method: 'POST', path: '/', headers }, (response) => {
        response.resume().on('end', () => done(response.statusCode === 200 ? 1 : 0));
      })
        .on('error', reject)
        .end(body);
    });
  const lanes = Array.from({ length: connections }, async (_, lane) => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    let count = 0;
    for (let number = 0; number < each; number++) count += await one(agent, `key-${lane}-${number}`);
    agent.destroy();
    return count;
  });
  return (await Promise.all(lanes)).reduce((sum, count) => sum + count, 0);
}

/** Runs the program under strace, delivers to the port that its output names, and ends it. */
async function traced(
  context: TestContext,
  args: readonly string[],
): Promise<SyncTrace & { readonly delivered: number }> {
  const folder = await mkdtemp(join(tmpdir(), 'wm-trace-'));
  context.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const file = join(folder, 'trace');
  const child = spawn(
    'strace',
    ['-f', '-yy', '-s', '65536', '-e', `trace=${calls}`, '-o', file, process.execPath, ...args],
    {
      cwd: folder,
      env: { PATH: process.env['PATH'], HOME: folder, WM_WEBHOOK_SECRET: secret },
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    },
  );
  const { pid } = child;
  assert.ok(pid !== undefined);
  let text = '';
  const port = await new Promise<number>((found, reject) => {
    const hear = (piece: string) => {
      text += piece;
      const number = /127\.0\.0\.1:(\d+)/.exec(text)?.[1];
      if (number !== undefined) found(Number(number));
    };
    child.stdout.setEncoding('utf8').on('data', hear);
    child.stderr.setEncoding('utf8').on('data', hear);
    child.once('error', reject);
    child.once('exit', (status) => reject(new Error(`It ended with ${status}: ${text}`)));
  });
  const delivered = await deliver(port, 8, 25);
  const ended = once(child, 'exit');
  process.kill(-pid, 'SIGTERM');
  await ended;
  return { ...readSyncTrace(await readFile(file, 'latin1'), key), delivered };
}

test('no 2xx leaves before the sync that covers its delivery', limits, async (context) => {
  const wm = [resolve('bin/wm.js'), 'webhook', 'listen', '--port', '0', '--journal', 'journal'];
  const { covered, early, syncs, delivered } = await traced(context, wm);
  context.diagnostic(`${delivered} deliveries, ${covered.length} 2xx after their sync, ${syncs} syncs`);
  assert.deepEqual(early, []);
  assert.equal(delivered, 200);
  assert.equal(new Set(covered).size, 200);
  assert.ok(syncs > 0);
});

/** Responds, then syncs: what the test above must notice. */
const hasty = `
const { appendFileSync, fdatasync, openSync } = require('node:fs');
const file = openSync('journal', 'a');
require('node:http').createServer((request, response) => {
  request.setEncoding('utf8').on('data', (body) => appendFileSync(file, body)).on('end', () => {
    response.end();
    fdatasync(file, () => {});
  });
}).listen(0, '127.0.0.1', function () { console.log('127.0.0.1:' + this.address().port); });
`;

test('detects a receiver that responds first', limits, async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'wm-hasty-'));
  context.after(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  const script = join(folder, 'hasty.cjs');
  await writeFile(script, hasty);
  const { early, delivered } = await traced(context, [script]);
  assert.equal(delivered, 200);
  assert.ok(early.length > 0);
});
