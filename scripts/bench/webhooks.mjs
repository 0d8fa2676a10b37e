// A thousand webhooks, each with a label on this machine: how long it takes to list them, to find one by a part of its URL, and
// to suspend it, as ratios to `node -e 0`, and each below a second. The service is a process on this machine that responds at
// once. What it and the loopback take is measured too, with a bare client that sends the same requests one after the other, and
// subtracted. Then what a user waits for on a terminal: picker.mjs.

import { spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { inTurn, median, ratioOf } from './median.mjs';
import { benchPicker } from './picker.mjs';

const count = 1_000;
const url = (number) => `https://hooks.example.com/team${number}/deliveries`;
const idOf = (number) => `IEAAAAAQW${String(number).padStart(11, '0')}`;

/** A webhook that was suspended is active again once that was read back, so that each round finds the same. */
const service = `
const all = ${JSON.stringify(Array.from({ length: count }, (_, at) => ({ id: idOf(at), accountId: 'IEAAAAAQ', hookUrl: url(at), status: 'Active' })))};
const list = JSON.stringify({ kind: 'webhooks', data: all });
let suspended;
require('node:http').createServer((request, response) => {
  const id = /webhooks\\/(\\w+)/.exec(request.url)?.[1];
  if (request.method === 'PUT') suspended = id;
  const one = all.find((webhook) => webhook.id === id);
  const status = id !== undefined && id === suspended ? 'Suspended' : 'Active';
  if (request.method === 'GET' && status === 'Suspended') suspended = undefined;
  request.resume();
  response.setHeader('Content-Type', 'application/json');
  response.end(id === undefined ? list : JSON.stringify({ kind: 'webhooks', data: [{ ...one, status }] }));
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;

const one = `/api/v4/webhooks/${idOf(517)}`;
const [list, get, put] = [
  ['GET', '/api/v4/webhooks'],
  ['GET', one],
  ['PUT', `${one}?status=Suspended`],
];

/** As many times as long as \`node -e 0\`, which takes 40 ms or more: all are well below a second. */
const cases = [
  { name: 'list', target: 6, words: ['list'], lines: count, sends: [list] },
  { name: 'get, part of URL', target: 6, words: ['get', 'team517/'], lines: 1, sends: [list, get] },
  { name: 'get, label', target: 6, words: ['get', 'LABEL 517'], lines: 1, sends: [list, get] },
  {
    name: 'suspend, URL',
    target: 9,
    words: ['suspend', url(517), '--yes', '--quiet'],
    lines: 1,
    sends: [list, get, put, get],
  },
  {
    name: 'suspend, part of URL',
    target: 9,
    words: ['suspend', 'team517/', '--yes', '--quiet'],
    lines: 1,
    sends: [list, get, put, get],
  },
];
const mostMs = 1_000;

function once(command, env) {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(command[0], command.slice(1), { env, encoding: 'utf8' });
  const milliseconds = performance.now() - start;
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}: ${stderr}`);
  return { milliseconds, stdout };
}

/** What the service and the loopback take for the same requests, one after the other over one connection. */
async function networkTime(port, sends) {
  const agent = new Agent({ keepAlive: true });
  const start = performance.now();
  for (const [method, path] of sends) {
    await new Promise((resolve, reject) => {
      const sent = request({ host: '127.0.0.1', port, method, path, agent }, (response) =>
        response.on('data', () => {}).on('end', resolve),
      );
      sent.on('error', reject).end();
    });
  }
  const milliseconds = performance.now() - start;
  agent.destroy();
  return milliseconds;
}

function writeLabels(folder, host) {
  const webhooks = Object.fromEntries(
    Array.from({ length: count }, (_, at) => [idOf(at), { label: `label ${at}` }]),
  );
  const path = join(folder, 'state', 'webhooks');
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const name = `${host.replace(/[^\w.-]/g, '_')}.json`;
  writeFileSync(join(path, name), JSON.stringify({ format: 1, webhooks }), { mode: 0o600 });
}

/** Prints a table; gives back what missed its target. */
export async function benchWebhooks({ builds, environment, rounds = 20 }) {
  const missed = [];
  const folder = mkdtempSync(join(tmpdir(), 'wm-bench-'));
  const child = spawn(process.execPath, ['-e', service], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const port = await new Promise((resolve) =>
      child.stdout.once('data', (text) => resolve(String(text).trim())),
    );
    const env = { ...environment, WM_TOKEN: 'token', WM_HOST: `127.0.0.1:${port}`, WM_CONFIG_DIR: folder };
    writeLabels(folder, env.WM_HOST);
    process.stdout.write(`\n${count} webhooks, ${rounds} rounds each\n`);
    process.stdout.write(
      `wm webhook                  ms   node -e 0   ratio   target   network   without it (below ${mostMs})\n`,
    );
    for (const { name, target, words, lines, sends } of cases) {
      const take = (wm) => () => {
        const { milliseconds, stdout } = once([wm, 'webhook', ...words], env);
        const shown = stdout.trimEnd().split('\n').length;
        if (shown !== lines) throw new Error(`${name} shows ${shown} lines: ${stdout.slice(0, 500)}`);
        return milliseconds;
      };
      const runs = [
        () => once([process.execPath, '-e', '0'], env).milliseconds,
        () => networkTime(port, sends),
        ...Object.values(builds).map(take),
      ];
      for (const run of runs) await run();
      const taken = runs.map(() => []);
      for (let round = 0; round < rounds; round++)
        for (const [at, time] of (await inTurn(round, runs)).entries()) taken[at].push(time);
      const [bases, network, times, otherTimes] = taken;
      const ratio = ratioOf(times, bases);
      const without = median(times.map((time, at) => time - network[at]));
      const isMissed = ratio > target || without > mostMs;
      if (without > mostMs)
        missed.push(`${name} takes ${without.toFixed(0)} ms without the network (${mostMs})`);
      if (ratio > target)
        missed.push(`${name} takes ${ratio.toFixed(2)} times as long as node -e 0 (${target})`);
      const cells = [
        name.padEnd(24),
        median(times).toFixed(1).padStart(6),
        median(bases).toFixed(1).padStart(11),
        ratio.toFixed(2).padStart(7),
        String(target).padStart(8),
        median(network).toFixed(1).padStart(10),
        without.toFixed(1).padStart(13),
        otherTimes === undefined ? '' : `  ${ratioOf(times, otherTimes).toFixed(3)} to the other`,
        isMissed ? '  missed' : '',
      ];
      process.stdout.write(`${cells.join('').trimEnd()}\n`);
    }
    // Each opens terminals, and waits for what they show.
    missed.push(...(await benchPicker({ builds, environment, folder, rounds: Math.min(rounds, 5) })));
  } finally {
    child.kill();
    rmSync(folder, { recursive: true });
  }
  return missed;
}
