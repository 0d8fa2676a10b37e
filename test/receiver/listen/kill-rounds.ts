// Kills a real `wm webhook listen` again and again while deliveries come in and are forwarded, and counts what was lost, what came
// out of order, and what came twice. A kill is due after a random number of acknowledgements, not after a time.

import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runOnce, secret } from '#test/sink/running-wm.ts';
import { wordsOf } from '#test/support/program/cells.ts';
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

const tasks = 20;
const concurrency = 10;

export async function killListeners(kills: number): Promise<KillCounts> {
  const folder = await mkdtemp(join(tmpdir(), 'wm-kills-'));
  const port = await freePort();
  const target = await startOrderedTarget();
  const sender = startHookSender(port, secret, tasks);
  const start = async () => {
    const flags = `--port ${port} --journal ${join(folder, 'journal')} --forward-to ${target.url}`;
    const words = ['webhook', 'listen', ...wordsOf(flags), '--concurrency', String(concurrency)];
    const started = await runOnce(words, new RegExp(`:${port}`), { home: folder });
    if ('failed' in started) throw new Error(`It ended with ${started.status}: ${started.failed}`);
    return started;
  };
  try {
    for (let kill = 0; kill < kills; kill++) {
      const child = await start();
      sender.resume();
      await sender.after(1 + Math.floor(Math.random() * 100));
      sender.pause();
      await child.kill();
    }
    const child = await start();
    sender.resume();
    await sender.finish();
    const isAll = () =>
      sender.acknowledged.every((number, task) => (target.last.get(taskId(task)) ?? 0) >= number);
    await target.until(isAll);
    await child.end();
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
