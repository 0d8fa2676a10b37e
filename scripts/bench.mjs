// npm run bench: how long `wm` takes, as ratios to something taken in the same run, one after the other, so that a slow
// or busy machine changes both. Prints a table; says which targets are missed; exits with 1 where one is.

import { spawn, spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { benchBulk } from './bench-bulk.mjs';
import './build.mjs';

const wm = fileURLToPath(new URL('../bin/wm.js', import.meta.url));
const rounds = Number(process.argv[2] ?? 40);

// Both would be measured too: the certificates alone cost 30 ms a start.
const { NODE_EXTRA_CA_CERTS: _certificates, ...inherited } = process.env;
const environment = Object.fromEntries(Object.entries(inherited).filter(([name]) => !name.startsWith('WM_')));

/** A service that answers every update at once, in a process of its own, so that it takes no time of ours. */
async function startService() {
  const answer = JSON.stringify({ kind: 'tasks', data: [{ id: 'IEAAAAAQKQAB5BNG', title: 'x' }] });
  const script = `require('node:http').createServer((q, s) => { q.resume(); q.on('end', () => { s.setHeader('Content-Type', 'application/json'); s.end(${JSON.stringify(answer)}); }); }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;
  const child = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] });
  const port = await new Promise((resolve) =>
    child.stdout.once('data', (text) => resolve(String(text).trim())),
  );
  return { host: `127.0.0.1:${port}`, stop: () => child.kill() };
}

function once([command, ...args], env) {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(command, args, { env, encoding: 'utf8' });
  const milliseconds = performance.now() - start;
  if (status !== 0) throw new Error(`${args.join(' ')} ended with ${status}: ${stderr}`);
  return { milliseconds, stdout };
}

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

const service = await startService();
const online = { ...environment, WM_TOKEN: 'token', WM_HOST: service.host };
const task = 'IEAAAAAQKQAB5BNG';
const base = [process.execPath, '-e', '0'];
const cases = [
  { name: 'wm --version', target: 1.3, aim: 1.2, command: [wm, '--version'], shows: /^\d+\.\d+\.\d+\n$/ },
  { name: 'wm --help', target: 1.9, aim: 1.6, command: [wm, '--help'], shows: /webhook suspend/ },
  {
    name: 'wm task update --dry-run',
    target: 1.9,
    aim: 1.6,
    command: [wm, 'task', 'update', task, '--title', 'x', '--dry-run'],
    shows: /PUT .*title=x/,
  },
  {
    name: 'wm task update',
    target: 2.8,
    aim: 2.3,
    command: [wm, 'task', 'update', task, '--title', 'x', '--json'],
    env: online,
    shows: /"title":"x"/,
  },
];

let missed = 0;
try {
  process.stdout.write(`${rounds} pairs each, node ${process.version}; medians\n\n`);
  process.stdout.write('command                     ms   node -e 0   ratio   target   aim\n');
  for (const { name, target, aim, command, env = environment, shows } of cases) {
    const ratios = [];
    const times = [];
    const bases = [];
    once(command, env);
    for (let round = 0; round < rounds; round++) {
      const bare = once(base, env).milliseconds;
      const { milliseconds, stdout } = once(command, env);
      if (!shows.test(stdout)) throw new Error(`${name} does not show ${shows}: ${stdout}`);
      ratios.push(milliseconds / bare);
      times.push(milliseconds);
      bases.push(bare);
    }
    const ratio = median(ratios);
    if (ratio > target) missed++;
    const cells = [
      name.padEnd(24),
      median(times).toFixed(1).padStart(6),
      median(bases).toFixed(1).padStart(11),
      ratio.toFixed(2).padStart(7),
      String(target).padStart(8),
      String(aim).padStart(5),
      ratio > target ? '  missed' : '',
    ];
    process.stdout.write(`${cells.join('').trimEnd()}\n`);
  }
} finally {
  service.stop();
}
missed += await benchBulk(environment);
process.exitCode = missed === 0 ? 0 : 1;
