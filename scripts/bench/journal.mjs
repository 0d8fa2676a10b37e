// Measures how soon `wm webhook listen` is ready with a journal of a million deliveries or more, beside `node -e 0`. The deliveries
// arrive over HTTP. listen.mjs measures how many it stores per second.

import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { secret, send, start } from './listen.mjs';
import { median, ratioOf, takeRounds } from './median.mjs';

const deliveries = 1_000_000;
const readyMs = 300;

/** Prints the results, and returns the missed targets. */
export async function benchJournal({ builds, environment, rounds = 9 }) {
  const folder = mkdtempSync(join(tmpdir(), 'wm-bench-'));
  const command = [builds.wm, 'webhook', 'listen', '--port', '0', '--journal', join(folder, 'journal')];
  const listen = () =>
    start([process.execPath, ...command], { ...environment, HOME: folder, WM_WEBHOOK_SECRET: secret });
  const timed = async (run) => {
    const began = performance.now();
    const started = await run();
    const milliseconds = performance.now() - began;
    await started.stop?.();
    return milliseconds;
  };
  try {
    const receiver = await listen();
    let stored = 0;
    while (stored < deliveries) stored += (await send(receiver.port, 5_000)).count;
    await receiver.stop();
    const [bases, opened] = await takeRounds(rounds, [
      () => timed(() => spawnSync(process.execPath, ['-e', '0'], { env: environment })),
      () => timed(listen),
    ]);
    process.stdout.write(
      `\nthe journal, ${stored} deliveries, ${rounds} rounds\n` +
        `ready after ${median(opened).toFixed(0)} ms (target ${readyMs}); node -e 0: ${median(bases).toFixed(0)} ms; ratio ${ratioOf(opened, bases).toFixed(2)}\n`,
    );
    return median(opened) > readyMs ? [`opening takes ${median(opened).toFixed(0)} ms (${readyMs})`] : [];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
