// Measures a thousand labelled webhooks: listing them, finding one by a part of its URL, and suspending it, each as a ratio to
// `node -e 0` and in less than a second. A local service responds at once.

import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { start } from './listen.mjs';
import { median, printRow, ratioOf, takeRounds } from './median.mjs';

const count = 1_000;
const url = (number) => `https://hooks.example.com/team${number}/deliveries`;
const idOf = (number) => `IEAAAAAQW${String(number).padStart(11, '0')}`;

/** Reading a suspended webhook makes it active again, so that each round is the same. */
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

/** As ratios to `node -e 0`, which takes 40 ms or more. All are far below a second. */
const cases = [
  { name: 'list', target: 6, words: ['list'], lines: count },
  { name: 'get, part of URL', target: 6, words: ['get', 'team517/'], lines: 1 },
  { name: 'get, label', target: 6, words: ['get', 'LABEL 517'], lines: 1 },
  { name: 'suspend, URL', target: 9, words: ['suspend', url(517), '--yes', '--quiet'], lines: 1 },
  { name: 'suspend, part of URL', target: 9, words: ['suspend', 'team517/', '--yes', '--quiet'], lines: 1 },
];
const mostMs = 1_000;

function once(command, env) {
  const start = performance.now();
  const { status, stdout, stderr } = spawnSync(process.execPath, command, { env, encoding: 'utf8' });
  const milliseconds = performance.now() - start;
  if (status !== 0) throw new Error(`${command.join(' ')} ended with ${status}: ${stderr}`);
  return { milliseconds, stdout };
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

/** Prints a table, and returns the missed targets. */
export async function benchWebhooks({ builds, environment, rounds = 20 }) {
  const missed = [];
  const folder = mkdtempSync(join(tmpdir(), 'wm-bench-'));
  const { port, stop } = await start([process.execPath, '-e', service], environment);
  try {
    const env = { ...environment, WM_TOKEN: 'token', WM_HOST: `127.0.0.1:${port}`, WM_CONFIG_DIR: folder };
    writeLabels(folder, env.WM_HOST);
    printRow([
      `\n${count} webhooks, ${rounds} rounds`,
      'ms',
      'node -e 0',
      'ratio',
      'target',
      builds.other ? 'to other' : '',
    ]);
    for (const { name, target, words, lines } of cases) {
      const take = (wm) => () => {
        const { milliseconds, stdout } = once([wm, 'webhook', ...words], env);
        const shown = stdout.trimEnd().split('\n').length;
        if (shown !== lines) throw new Error(`${name} shows ${shown} lines: ${stdout.slice(0, 500)}`);
        return milliseconds;
      };
      const runs = [() => once(['-e', '0'], env).milliseconds, ...Object.values(builds).map(take)];
      for (const run of runs) run();
      const [bases, times, otherTimes] = await takeRounds(rounds, runs);
      const ratio = ratioOf(times, bases);
      if (median(times) > mostMs) missed.push(`${name} takes ${median(times).toFixed(0)} ms (${mostMs})`);
      if (ratio > target)
        missed.push(`${name} takes ${ratio.toFixed(2)} times as long as node -e 0 (${target})`);
      printRow([
        `wm webhook ${name}`,
        median(times).toFixed(1),
        median(bases).toFixed(1),
        ratio.toFixed(2),
        String(target),
        otherTimes === undefined ? '' : ratioOf(times, otherTimes).toFixed(3),
      ]);
    }
  } finally {
    await stop();
    rmSync(folder, { recursive: true });
  }
  return missed;
}
