// The receiver's journal: how long it takes to open one with a million deliveries, beside `node -e 0`, and how many deliveries
// it stores in a second, as a ratio to a bare loop of writes and syncs.

import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { options } from '../esbuild-options.mjs';
import { inTurn, median, ratioOf } from './median.mjs';

const root = fileURLToPath(new URL('../..', import.meta.url));
const deliveries = 1_000_000;
const appended = 100_000;
/** From the start of the process. */
const readyMs = 300;
/** The bare loop neither checks for duplicates nor computes a checksum, and could not find a torn write. */
const leastRatio = 0.5;

/** Prints what was measured; gives back what missed its target. */
export async function benchJournal({ environment, rounds = 9 }) {
  const missed = [];
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
    const full = join(folder, 'full');
    const { figure: segments } = run(program, 'fill', full, deliveries);
    const opened = [];
    const bases = [];
    const inside = [];
    for (let round = 0; round < rounds; round++) {
      const [base, one] = await inTurn(round, [
        () => run('-e', '0'),
        () => run(program, 'open', full, deliveries),
      ]);
      bases.push(base.milliseconds);
      opened.push(one.milliseconds);
      inside.push(one.figure);
    }
    process.stdout.write(
      `\nthe journal, ${deliveries} deliveries in ${segments} segments, ${rounds} rounds\n` +
        `ready after ${median(opened).toFixed(0)} ms (target ${readyMs}), ${median(inside).toFixed(0)} ms of them to open it; node -e 0: ${median(bases).toFixed(0)} ms; ratio ${ratioOf(opened, bases).toFixed(2)}\n`,
    );
    if (median(opened) > readyMs) missed.push(`opening takes ${median(opened).toFixed(0)} ms (${readyMs})`);

    const rates = { append: [], bare: [] };
    for (let round = 0; round < rounds; round++) {
      const taken = await inTurn(
        round,
        Object.keys(rates).map((name) => () => {
          const { figure } = run(program, name, join(folder, `${name}-${round}`), appended);
          return { name, figure };
        }),
      );
      for (const { name, figure } of taken) rates[name].push(figure);
    }
    const ratio = ratioOf(rates.append, rates.bare);
    process.stdout.write(
      `${median(rates.append).toFixed(0)} deliveries a second on this disk; a bare loop: ${median(rates.bare).toFixed(0)}; ratio ${ratio.toFixed(2)} (target ${leastRatio})\n`,
    );
    if (ratio < leastRatio)
      missed.push(`it stores ${ratio.toFixed(2)} times as many as a bare loop (${leastRatio})`);
  } finally {
    await rm(parent, { recursive: true });
    await rm(folder, { recursive: true });
  }
  return missed;
}
