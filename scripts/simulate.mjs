// Builds the whole program and the simulation into one file, so that no import waits for the real disk, and runs it. Arguments:
// test/simulation/main.ts. With --mutants instead: makes each change of test/simulation/mutants.jsonl to the source, and prints after
// how many runs the simulation noticed it.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from './bundle.mjs';

const root = fileURLToPath(new URL('..', import.meta.url));
mkdirSync(join(root, 'build'), { recursive: true });
const folder = mkdtempSync(join(root, 'build', 'simulation-'));

/** A megabyte would take the scenarios most of their time. */
const smallerFiles = {
  file: 'src/emulator/state/persistence.ts',
  from: 'appendsFromBytes = 1_000_000',
  to: 'appendsFromBytes = 50_000',
};

async function simulate(argv, options, mutant) {
  const outfile = join(folder, 'simulation.mjs');
  await bundle(root, {
    entryPoints: [`${root}test/simulation/main.ts`],
    outfile,
    format: 'esm',
    external: [
      '@napi-rs/keyring',
      'fs-native-extensions',
      '@colors/colors',
      'undici',
      'open',
      'jq-wasm',
      '@nats-io/*',
    ],
    // Packages that are not ES modules call require.
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
    plugins: [changing([smallerFiles, ...(mutant ? [mutant] : [])])],
  });
  return spawnSync(process.execPath, [outfile, ...argv], { cwd: root, ...options });
}

function changing(changes) {
  const changesOf = (path) => changes.filter(({ file }) => join(root, file) === path);
  return {
    name: 'changes',
    setup(builder) {
      builder.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        if (changesOf(path).length === 0) return undefined;
        let contents = await readFile(path, 'utf8');
        for (const { file, from, to } of changesOf(path)) {
          if (contents.split(from).length !== 2)
            throw new Error(`${file} does not contain this once: ${from}`);
          contents = contents.replace(from, () => to);
        }
        return { contents, loader: 'ts' };
      });
    },
  };
}

try {
  const argv = process.argv.slice(2);
  if (argv[0] !== '--mutants') {
    const { status } = await simulate(argv, { stdio: 'inherit' });
    process.exitCode = status ?? 1;
  } else {
    const lines = readFileSync(join(root, 'test/simulation/mutants.jsonl'), 'utf8').trim().split('\n');
    const mutants = lines.map((line) => JSON.parse(line));
    for (const mutant of mutants.filter(({ scenario }) => argv[1] === undefined || argv[1] === scenario)) {
      const modes = ['--known', '--singles', '--pairs', '--seeds=500'];
      const { status, stdout } = await simulate(
        [mutant.scenario, '--first', ...modes],
        { encoding: 'utf8' },
        mutant,
      );
      const runs = /"runs":(\d+)/.exec(stdout)?.[1];
      const how = /--(?:plan='.*?'|seed=\d+)/.exec(stdout)?.[0];
      process.stdout.write(
        `${mutant.scenario}\t${status === 1 ? `found in run ${runs}, ${how}` : `not found in ${runs} runs`}\t${mutant.what}\n`,
      );
      if (status !== 1) process.exitCode = 1;
    }
  }
} finally {
  rmSync(folder, { recursive: true });
}
