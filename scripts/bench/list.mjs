// A long list of tasks: how soon its first line is there, and how much memory it takes. The service is a process on this
// machine that returns the tasks in pages of as many as it is asked for. Memory is compared with that of a list that is ten
// times as long, and the time with that of a bare client that requests the same pages and parses them.

import { spawn } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { inTurn, median, ratioOf } from './median.mjs';

const count = 10_000;
const many = 10 * count;
/** A first line within half of the time; ten times as many tasks with hardly more memory. */
const target = { firstShare: 0.5, memory: 1.3, ratio: 4 };

/** WM_HOST names the port; the token says how many tasks there are. Prints the number of each page that it returns. */
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

/** Says at its end how much memory a program has had at most. */
const memory = `process.on('exit', () => require('node:fs').writeFileSync(process.env.BENCH_MEMORY, String(process.resourceUsage().maxRSS)));`;

/** Prints a table; gives back what missed its target. */
export async function benchList({ builds, environment, rounds = 15 }) {
  const folder = await mkdtemp(join(tmpdir(), 'wm-bench-'));
  const child = spawn(process.execPath, ['-e', service], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const port = await new Promise((resolve) =>
      child.stdout.once('data', (text) => resolve(String(text).trim())),
    );
    await writeFile(join(folder, 'memory.cjs'), memory);
    const env = {
      ...environment,
      WM_HOST: `127.0.0.1:${port}`,
      WM_CONFIG_DIR: folder,
      BENCH_MEMORY: join(folder, 'memory'),
    };
    return await measure(builds, env, folder, rounds);
  } finally {
    child.kill();
    await rm(folder, { recursive: true });
  }
}

async function measure(builds, env, folder, rounds) {
  const missed = [];
  const list = (wm, tasks) => () =>
    run(
      ['--require', join(folder, 'memory.cjs'), wm, 'task', 'list'],
      { ...env, WM_TOKEN: String(tasks) },
      tasks,
    );
  process.stdout.write(`\ntask list, ${count} tasks in pages of 1,000; ${rounds} rounds each\n`);
  process.stdout.write('                 ms   first line   bare ms   ratio   memory   of 10 times as many\n');
  for (const [name, wm] of Object.entries(builds)) {
    const plain = () => run(['-e', bare], { ...env, WM_TOKEN: String(count) }, count);
    const runs = [list(wm, count), plain, list(wm, many)];
    const taken = runs.map(() => []);
    for (let round = 0; round < rounds; round++)
      for (const [at, result] of (await inTurn(round, runs)).entries()) taken[at].push(result);
    const [own, others, long] = taken;
    const of = (results, key) => results.map((one) => one[key]);
    const firstShare = median(own.map(({ first, ms }) => first / ms));
    const ratio = ratioOf(of(own, 'ms'), of(others, 'ms'));
    const memoryRatio = ratioOf(of(long, 'kilobytes'), of(own, 'kilobytes'));
    const megabytes = (results) => `${Math.round(median(of(results, 'kilobytes')) / 1024)} MB`;
    process.stdout.write(
      `${name.padEnd(8)}${median(of(own, 'ms')).toFixed(0).padStart(11)}${`${median(of(own, 'first')).toFixed(0)} ms`.padStart(13)}${median(of(others, 'ms')).toFixed(0).padStart(10)}${ratio.toFixed(2).padStart(8)}${megabytes(own).padStart(9)}${`${megabytes(long)} (${memoryRatio.toFixed(2)})`.padStart(22)}\n`,
    );
    if (name !== 'wm') continue;
    if (firstShare > target.firstShare)
      missed.push(`the first line comes after ${firstShare.toFixed(2)} of the time (${target.firstShare})`);
    if (ratio > target.ratio) missed.push(`it takes ${ratio.toFixed(2)} times as long (${target.ratio})`);
    if (memoryRatio > target.memory)
      missed.push(
        `10 times as many tasks take ${memoryRatio.toFixed(2)} times the memory (${target.memory})`,
      );
  }
  return missed;
}

async function run(argv, env, lines) {
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
  const kilobytes = argv[0] === '-e' ? 0 : Number(await readFile(env.BENCH_MEMORY, 'utf8'));
  return { ms, first, kilobytes };
}
