// Compares `wm webhook listen` with bare-receiver.mjs under the same load, in turn: stored deliveries per second, once V8 has
// compiled the code. Then measures response times at 200 deliveries per second while it forwards them.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { median, ratioOf, takeRounds } from './median.mjs';

const here = (name) => fileURLToPath(new URL(name, import.meta.url));
export const secret = 'a secret for the benchmark';
const target = { ratio: 0.8, p99Ms: 100 };
const load = { connections: 50, warmUpMs: 4_000, milliseconds: 5_000, rate: 200 };

/** Starts a receiver. Once it has printed `:PORT` or the port, returns the port and how to end the receiver. */
export async function start(command, environment) {
  const child = spawn(command[0], command.slice(1), { env: environment, stdio: ['ignore', 'pipe', 'pipe'] });
  let text = '';
  let isFound = false;
  const port = await new Promise((resolve, reject) => {
    const hear = (piece) => {
      // Read and drop further lines: storing them would slow down both sides.
      if (isFound) return;
      text += piece;
      const found = /(?:127\.0\.0\.1:|^)(\d{4,5})\b/.exec(text)?.[1];
      if (!found) return;
      isFound = true;
      resolve(Number(found));
    };
    child.stdout.setEncoding('utf8').on('data', hear);
    child.stderr.setEncoding('utf8').on('data', hear);
    child.once('exit', (status) => reject(new Error(`${command.join(' ')} ended with ${status}: ${text}`)));
  });
  return {
    port,
    pid: child.pid,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    },
  };
}

/** Sends signed deliveries, or updates of a task if there is a token. */
export async function send(port, milliseconds, rate, connections = load.connections, token = undefined) {
  const words = [port, secret, connections, milliseconds, ...(rate === undefined ? [] : [rate])];
  const child = spawn(process.execPath, [here('hook-load.mjs'), ...words.map(String)], {
    env: { ...process.env, ...(token === undefined ? {} : { LOAD_TOKEN: token }) },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (piece) => {
    text += piece;
  });
  const [status] = await once(child, 'close');
  if (status !== 0) throw new Error(`The load ended with ${status}`);
  const { others, ...figures } = JSON.parse(text);
  if (Object.keys(others).length > 0) throw new Error(`Not every response was 200: ${text}`);
  return figures;
}

/** Nothing listens there, so deliveries wait in the journal: only receiving is measured. */
const unavailable = 'http://127.0.0.1:1/';

const program = `
require('node:http').createServer((request, response) => {
  request.resume().on('end', () => response.end());
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;

/** Prints a table, and returns the missed targets. */
export async function benchListen({ builds, environment, rounds = 5 }) {
  const missed = [];
  const folder = mkdtempSync(join(tmpdir(), 'wm-bench-'));
  let run = 0;
  const listen = (build, words) =>
    start(
      [
        process.execPath,
        build,
        'webhook',
        'listen',
        '--port',
        '0',
        '--journal',
        join(folder, `${++run}`),
        ...words,
      ],
      { ...environment, HOME: folder, WM_WEBHOOK_SECRET: secret },
    );
  const measured = async (started, rate) => {
    const { port, stop } = await started;
    if (rate === undefined) await send(port, load.warmUpMs);
    const figures = await send(port, load.milliseconds, rate);
    await stop();
    return figures;
  };
  try {
    const names = ['bare', ...Object.keys(builds)];
    const runs = [
      () =>
        start([process.execPath, here('bare-receiver.mjs'), join(folder, `${++run}`), secret], environment),
      ...Object.values(builds).map((build) => () => listen(build, ['--forward-to', unavailable])),
    ].map((begin) => () => measured(begin()));
    const taken = await takeRounds(rounds, runs);
    const perSecond = Object.fromEntries(
      names.map((name, at) => [name, taken[at].map((one) => one.perSecond)]),
    );
    process.stdout.write('\nlisten: deliveries stored a second\n');
    for (const name of names)
      process.stdout.write(
        `  ${name.padEnd(8)}${median(perSecond[name]).toFixed(0).padStart(8)}  ${ratioOf(perSecond[name], perSecond.bare).toFixed(2)}\n`,
      );
    const ratio = ratioOf(perSecond.wm, perSecond.bare);
    if (ratio < target.ratio) missed.push(`${ratio.toFixed(2)} of the bare receiver, target ${target.ratio}`);

    const behind = await start([process.execPath, '-e', program], environment);
    const { count, p50, p99, max } = await measured(
      listen(builds.wm, ['--forward-to', `http://127.0.0.1:${behind.port}/`]),
      load.rate,
    );
    await behind.stop();
    process.stdout.write(
      `listen: ${count} deliveries at ${load.rate} a second, forwarded: p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, most ${max.toFixed(1)} ms\n`,
    );
    if (p99 > target.p99Ms)
      missed.push(`p99 ${p99.toFixed(1)} ms at ${load.rate} a second, target ${target.p99Ms}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return missed;
}
