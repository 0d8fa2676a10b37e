// Kills a real `wm webhook listen` again and again while deliveries come in and are forwarded, and counts what was lost, what came
// out of order, and what came twice. A kill is due after a random number of acknowledgements, not after a time.

import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { freePort } from '#test/support/service/free-port.ts';
import { startHookSender, taskId } from './hook-sender.ts';
import { startOrderedTarget } from './ordered-target.ts';

export interface KillCounts {
  readonly kills: number;
  readonly acknowledged: number;
  readonly lost: number;
  readonly outOfOrder: number;
  /** Forwarded twice. */
  readonly repeats: number;
  /** How many deliveries could be between the target's response and the disk at all kills together. */
  readonly repeatsAtMost: number;
  readonly responses: Readonly<Record<number, number>>;
}

const secret = 'a secret for the trials';
const tasks = 20;
const concurrency = 10;

export async function killListeners(kills: number): Promise<KillCounts> {
  const folder = await mkdtemp(join(tmpdir(), 'wm-kills-'));
  const port = await freePort();
  const target = await startOrderedTarget();
  const sender = startHookSender(port, secret, tasks);
  const start = async (): Promise<ChildProcess> => {
    const words = ['--port', String(port), '--journal', join(folder, 'journal'), '--forward-to', target.url];
    const child = spawn(
      process.execPath,
      [resolve('bin/wm.js'), 'webhook', 'listen', ...words, '--concurrency', String(concurrency)],
      {
        env: { PATH: process.env['PATH'], HOME: folder, WM_WEBHOOK_SECRET: secret },
        stdio: ['ignore', 'ignore', 'pipe'],
      },
    );
    let errors = '';
    await new Promise<void>((resolve, reject) => {
      child.stderr.setEncoding('utf8').on('data', (piece) => {
        errors += piece;
        if (errors.includes(`:${port}`)) resolve();
      });
      child.once('exit', (status) => reject(new Error(`It ended with ${status}: ${errors}`)));
    });
    return child;
  };
  try {
    for (let kill = 0; kill < kills; kill++) {
      const child = await start();
      sender.resume();
      await sender.after(1 + Math.floor(Math.random() * 100));
      sender.pause();
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
    const child = await start();
    sender.resume();
    await sender.finish();
    const isAll = () =>
      sender.acknowledged.every((number, task) => (target.last.get(taskId(task)) ?? 0) >= number);
    await target.until(isAll);
    child.kill('SIGTERM');
    await once(child, 'exit');
    return {
      kills,
      acknowledged: sender.acknowledged.reduce((sum, number) => sum + number, 0),
      lost: target.missing.size,
      outOfOrder: target.late() + target.staleRepeats(),
      repeats: target.repeats(),
      repeatsAtMost: kills * concurrency,
      responses: Object.fromEntries(sender.responses),
    };
  } finally {
    target.close();
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
