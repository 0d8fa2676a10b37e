// How long a command takes from its start to its end, as a ratio to `node -e 0`.

import { spawn, spawnSync } from 'node:child_process';
import { performance } from 'node:perf_hooks';
import { inTurn, median, ratioOf } from './median.mjs';

/** A service that responds to every update at once, in a process of its own, so that it takes no time of ours. */
async function startService() {
  const body = JSON.stringify({ kind: 'tasks', data: [{ id: 'IEAAAAAQKQAB5BNG', title: 'x' }] });
  const script = `require('node:http').createServer((q, s) => { q.resume(); q.on('end', () => { s.setHeader('Content-Type', 'application/json'); s.end(${JSON.stringify(body)}); }); }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;
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

const task = 'IEAAAAAQKQAB5BNG';
const base = [process.execPath, '-e', '0'];
const cases = (online) => [
  { name: 'wm --version', target: 1.3, aim: 1.2, words: ['--version'], shows: /^\d+\.\d+\.\d+\n$/ },
  { name: 'wm --help', target: 1.9, aim: 1.6, words: ['--help'], shows: /webhook suspend/ },
  {
    name: 'a TAB',
    target: 1.9,
    aim: 1.6,
    words: ['__complete', 'bash', 'wm task update --stat', '--stat', '9', '80'],
    shows: /--status/,
  },
  {
    name: 'wm task update --dry-run',
    target: 1.9,
    aim: 1.6,
    words: ['task', 'update', task, '--title', 'x', '--dry-run'],
    shows: /PUT .*title=x/,
  },
  {
    name: 'wm task update',
    target: 2.8,
    aim: 2.3,
    words: ['task', 'update', task, '--title', 'x', '--json'],
    env: online,
    shows: /"title":"x"/,
  },
];

/** Prints a table; gives back what missed its target. */
export async function benchStart({ builds, environment, rounds = 40 }) {
  const missed = [];
  const service = await startService();
  const online = { ...environment, WM_TOKEN: 'token', WM_HOST: service.host };
  try {
    const others = builds.other === undefined ? '' : '   other ms  ratio to it';
    process.stdout.write(`\nstart-up, ${rounds} rounds each\n`);
    process.stdout.write(`command                     ms   node -e 0   ratio   target   aim${others}\n`);
    for (const { name, target, aim, words, env = environment, shows } of cases(online)) {
      const take = (command, isShown) => () => {
        const { milliseconds, stdout } = once(command, env);
        if (isShown && !shows.test(stdout)) throw new Error(`${name} does not show ${shows}: ${stdout}`);
        return milliseconds;
      };
      const runs = [take(base, false), ...Object.values(builds).map((wm) => take([wm, ...words], true))];
      for (const run of runs) run();
      const taken = runs.map(() => []);
      for (let round = 0; round < rounds; round++) {
        for (const [at, time] of (await inTurn(round, runs)).entries()) taken[at].push(time);
      }
      const [bases, times, otherTimes] = taken;
      const ratio = ratioOf(times, bases);
      const isMissed = ratio > target;
      if (isMissed) missed.push(`${name} takes ${ratio.toFixed(2)} times as long as node -e 0 (${target})`);
      const cells = [
        name.padEnd(24),
        median(times).toFixed(1).padStart(6),
        median(bases).toFixed(1).padStart(11),
        ratio.toFixed(2).padStart(7),
        String(target).padStart(8),
        String(aim).padStart(5),
        otherTimes === undefined ? '' : median(otherTimes).toFixed(1).padStart(11),
        otherTimes === undefined ? '' : ratioOf(times, otherTimes).toFixed(3).padStart(13),
        isMissed ? '  missed' : '',
      ];
      process.stdout.write(`${cells.join('').trimEnd()}\n`);
    }
  } finally {
    service.stop();
  }
  return missed;
}
