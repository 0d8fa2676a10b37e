// Measures how soon a long list of tasks prints its first line, and its memory. Compares the memory with a list ten times as long,
// and the time with a bare client that parses the same pages.

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { start } from './listen.mjs';
import { median, printRow, ratioOf, takeRounds } from './median.mjs';

const count = 10_000;
const many = 10 * count;
/** The first line within half of the time, and hardly more memory for ten times as many tasks. */
const target = { firstShare: 0.5, memory: 1.3, ratio: 4 };

/** The token contains the number of tasks. */
const service = `
const text = 'x'.repeat(500);
require('node:http').createServer((request, response) => {
  const query = new URL(request.url, 'http://x').searchParams;
  const all = Number(request.headers.authorization.replace('Bearer ', ''));
  const from = Number((query.get('nextPageToken') ?? 'p0').slice(1));
  const size = Number(query.get('pageSize'));
  const data = Array.from({ length: Math.max(0, Math.min(size, all - from)) }, (_, at) => ({
    id: 'IEAAAAAQKQ' + String(from + at).padStart(8, '0'), accountId: 'IEAAAAAQ', title: 'Task ' + (from + at),
    description: text, status: 'Active', importance: 'Normal', dates: { type: 'Backlog' }, responsibleIds: ['KUAAADAQ'],
    updatedDate: '2026-01-05T09:00:00Z' }));
  const next = from + size < all ? { nextPageToken: 'p' + (from + size) } : {};
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ kind: 'tasks', data, ...next }));
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;

const bare = `
const { Agent, get } = require('node:http');
const [host, port] = process.env.WM_HOST.split(':');
const agent = new Agent({ keepAlive: true });
const read = (path) => new Promise((resolve) => get({ host, port, path, agent, headers: { authorization: 'Bearer ' + process.env.WM_TOKEN } }, async (response) => {
  let text = '';
  for await (const piece of response.setEncoding('utf8')) text += piece;
  resolve(JSON.parse(text));
}));
(async () => {
  let token = '';
  do {
    const { data, nextPageToken } = await read('/api/v4/tasks?pageSize=1000' + token);
    process.stdout.write(data.map(({ id, title }) => id + '\\t' + title).join('\\n') + '\\n');
    token = nextPageToken && '&nextPageToken=' + nextPageToken;
  } while (token);
  agent.destroy();
})();
`;

/** Writes the largest memory use of a program at its end. */
const memory = `process.on('exit', () => require('node:fs').writeFileSync(process.env.BENCH_MEMORY, String(process.resourceUsage().maxRSS)));`;

/** Prints a table, and returns the missed targets. */
export async function benchList({ builds, environment, rounds = 15 }) {
  const folder = await mkdtemp(join(tmpdir(), 'wm-bench-'));
  const { port, stop } = await start([process.execPath, '-e', service], environment);
  const recorder = join(folder, 'memory.cjs');
  await writeFile(recorder, memory);
  const run = (words, lines) => () =>
    take(['--require', recorder, ...words], lines, {
      ...environment,
      WM_HOST: `127.0.0.1:${port}`,
      WM_CONFIG_DIR: folder,
      WM_TOKEN: String(lines),
      BENCH_MEMORY: join(folder, 'memory'),
    });
  const missed = [];
  printRow([
    `\ntask list, ${count} tasks, ${rounds} rounds`,
    'ms',
    'first line',
    'bare ms',
    'ratio',
    'memory',
    'of 10 times',
  ]);
  try {
    for (const [name, wm] of Object.entries(builds)) {
      const list = [wm, 'task', 'list'];
      const runs = [run(list, count), run(['-e', bare], count), run(list, many)];
      const [own, others, long] = await takeRounds(rounds, runs);
      const of = (results, key) => results.map((one) => one[key]);
      const firstShare = median(own.map(({ first, ms }) => first / ms));
      const ratio = ratioOf(of(own, 'ms'), of(others, 'ms'));
      const memoryRatio = ratioOf(of(long, 'kilobytes'), of(own, 'kilobytes'));
      printRow([
        name,
        median(of(own, 'ms')).toFixed(0),
        `${median(of(own, 'first')).toFixed(0)} ms`,
        median(of(others, 'ms')).toFixed(0),
        ratio.toFixed(2),
        `${Math.round(median(of(own, 'kilobytes')) / 1024)} MB`,
        memoryRatio.toFixed(2),
      ]);
      if (name !== 'wm') continue;
      if (firstShare > target.firstShare)
        missed.push(`the first line comes after ${firstShare.toFixed(2)} of the time (${target.firstShare})`);
      if (ratio > target.ratio) missed.push(`it takes ${ratio.toFixed(2)} times as long (${target.ratio})`);
      if (memoryRatio > target.memory)
        missed.push(
          `10 times as many tasks take ${memoryRatio.toFixed(2)} times the memory (${target.memory})`,
        );
    }
  } finally {
    await stop();
    await rm(folder, { recursive: true });
  }
  return missed;
}

async function take(argv, lines, env) {
  const start = performance.now();
  const child = spawn(process.execPath, argv, { env, stdio: ['ignore', 'pipe', 'inherit'] });
  let first;
  let count = 0;
  child.stdout.on('data', (bytes) => {
    first ??= performance.now() - start;
    for (const byte of bytes) if (byte === 10) count++;
  });
  const status = await new Promise((resolve) => child.once('close', resolve));
  const ms = performance.now() - start;
  if (status !== 0 || count !== lines)
    throw new Error(`${argv.join(' ')} ended with ${status}, ${count} lines`);
  return { ms, first, kilobytes: Number(await readFile(env.BENCH_MEMORY, 'utf8')) };
}
