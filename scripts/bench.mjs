// npm run bench: how long `wm` takes, as ratios to something measured in turn, so that a slow or busy machine changes both. Runs
// every part; exits with 1 if any missed its target. `--against COMMIT` also measures that commit's build (docs/performance.md).

import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { benchCommands } from './bench/commands.mjs';
import { createProcesses } from './bench/compare.mjs';
import { benchBulk, benchEmulator, benchListen } from './bench/rates.mjs';
import { benchSink } from './bench/sink.mjs';
import { benchJournal, benchLibrary } from './bench/starts.mjs';
import { testEnvironment } from './build-tests.mjs';
import './build.mjs';

const { values, positionals } = parseArgs({
  options: { against: { type: 'string' }, part: { type: 'string', multiple: true } },
  allowPositionals: true,
});
const parts = {
  commands: benchCommands,
  bulk: benchBulk,
  emulator: benchEmulator,
  library: benchLibrary,
  listen: benchListen,
  journal: benchJournal,
  sink: benchSink,
};
/** Needs a nats-server, which scripts/nats-server.mjs fetches. */
const byName = ['sink'];
const chosen =
  values.part ??
  (values.against === undefined ? Object.keys(parts).filter((name) => !byName.includes(name)) : ['commands']);
const unknown = chosen.filter((name) => !Object.hasOwn(parts, name));
const rounds = positionals[0] === undefined ? undefined : Number(positionals[0]);
if (unknown.length > 0 || positionals.length > 1 || Number.isNaN(rounds)) {
  process.stderr.write(
    `Usage: npm run bench -- [ROUNDS] [--against COMMIT] [--part ${Object.keys(parts).join('|')}]...\n`,
  );
  process.exit(2);
}

const own = fileURLToPath(new URL('..', import.meta.url));
const builds = { wm: join(own, 'bin', 'wm.js') };
if (values.against !== undefined) builds.other = join(buildCommit(values.against), 'bin', 'wm.js');

// Leave out what would be measured too: loading the certificates alone takes 30 ms per start.
const { NODE_EXTRA_CA_CERTS: _certificates, ...environment } = testEnvironment();

process.stdout.write(`node ${process.version}; medians${builds.other ? `; beside ${values.against}` : ''}\n`);
const missed = [];
for (const name of chosen) {
  const folder = mkdtempSync(join(tmpdir(), 'wm-bench-'));
  const { start, stopAll } = createProcesses();
  try {
    for (const what of await parts[name]({ builds, environment, folder, start, rounds })) missed.push(what);
  } catch (error) {
    process.stdout.write(`\n${error.stack}\n`);
    missed.push(`${name}: ended early (${error.message.split('\n')[0]})`);
  } finally {
    await stopAll();
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}
process.stdout.write(
  missed.length === 0 ? '\nEvery target was met.\n' : `\nMissed:\n  ${missed.join('\n  ')}\n`,
);
process.exitCode = missed.length === 0 ? 0 : 1;

/** Returns a clone of the commit with its build, made once. */
function buildCommit(commit) {
  const folder = join(own, 'build', `at-${commit}`);
  const run = (command, args, cwd) =>
    execFileSync(command, args, { cwd, stdio: ['ignore', 'ignore', 'inherit'] });
  if (existsSync(join(folder, 'dist'))) return folder;
  rmSync(folder, { recursive: true, force: true });
  run('git', ['clone', '--quiet', '--no-checkout', own, folder], own);
  run('git', ['checkout', '--quiet', commit], folder);
  run('npm', ['ci', '--silent'], folder);
  return folder;
}
