// The receiver's journal: how long it takes to open one with a million deliveries, beside `node -e 0`. How many it stores in a
// second, through HTTP, is in listen.mjs.

import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { options } from '../esbuild-options.mjs';
import { median, ratioOf, takeRounds } from './median.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const deliveries = 1_000_000;
/** From the start of the process. */
const readyMs = 300;

/** Prints what was measured; gives back what missed its target. */
export async function benchJournal({ environment, rounds = 9 }) {
  // The native modules are found from here.
  const parent = await mkdtemp(join(root, 'build/bench-journal-'));
  const folder = await mkdtemp(join(tmpdir(), 'wm-bench-journal-'));
  const program = join(parent, 'journal-program.mjs');
  const run = (...words) => {
    const start = performance.now();
    const { status, stdout, stderr } = spawnSync(process.execPath, words, {
      env: environment,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(`${words.join(' ')} ended with ${status}: ${stderr}`);
    return { milliseconds: performance.now() - start, figure: Number(stdout) };
  };
  try {
    await build({
      ...(await options(root)),
      format: 'esm',
      splitting: true,
      packages: 'external',
      entryPoints: [join(root, 'scripts/bench/journal-program.mjs')],
      outdir: parent,
      outExtension: { '.js': '.mjs' },
    });
    const { figure: segments } = run(program, 'fill', folder, deliveries);
    const [bases, opened] = await takeRounds(rounds, [
      () => run('-e', '0').milliseconds,
      () => run(program, 'open', folder, deliveries).milliseconds,
    ]);
    process.stdout.write(
      `\nthe journal, ${deliveries} deliveries in ${segments} segments, ${rounds} rounds\n` +
        `ready after ${median(opened).toFixed(0)} ms (target ${readyMs}); node -e 0: ${median(bases).toFixed(0)} ms; ratio ${ratioOf(opened, bases).toFixed(2)}\n`,
    );
    return median(opened) > readyMs ? [`opening takes ${median(opened).toFixed(0)} ms (${readyMs})`] : [];
  } finally {
    await rm(parent, { recursive: true });
    await rm(folder, { recursive: true });
  }
}
