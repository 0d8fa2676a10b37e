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
    plugins: mutant ? [changed(mutant)] : [],
  });
  return spawnSync(process.execPath, [outfile, ...argv], { cwd: root, ...options });
}

function changed({ file, from, to }) {
  return {
    name: 'mutant',
    setup(builder) {
      const path = join(root, file);
      builder.onLoad({ filter: /\.ts$/ }, async (module) => {
        if (module.path !== path) return undefined;
        const text = await readFile(path, 'utf8');
        if (text.split(from).length !== 2) throw new Error(`${file} does not contain this once: ${from}`);
        return { contents: text.replace(from, () => to), loader: 'ts' };
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
