// Measures the emulator: its start, its updates per second as a ratio to a bare server, a page of 100,000 tasks as a ratio to one
// of 1,000, and its memory at first and with 100,000 tasks.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import { send, start } from './listen.mjs';
import { median, printRow, ratioOf, takeRounds } from './median.mjs';

const target = { readyMs: 300, updates: 3_000, ratio: 0.4, pageRatio: 1.5 };
const folder = 'IEAAAAAQI4AB5FLD';
export const task = 'IEAAAAAQKQAB5BNG';
const [pages, pageSize] = [15, 50];

/** Responds to every request with the body in its environment. */
const constant = `
const { BODY } = process.env;
const headers = { 'Content-Type': 'application/json;charset=utf-8', 'Content-Length': Buffer.byteLength(BODY) };
require('node:http').createServer((_, response) => response.writeHead(200, headers).end(BODY))
  .listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;

/** `milliseconds`: from the command to the first response. */
export async function startEmulator(wm, environment) {
  const began = performance.now();
  const child = spawn(process.execPath, [wm, 'emulator', 'start', '--json'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  const { baseUrl, token } = JSON.parse(String(line));
  const request = async (method, url, body) => {
    const headers = {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Connection: 'close',
    };
    const response = await fetch(new URL(url, `${baseUrl}/`), { method, headers, body });
    const text = await response.text();
    if (response.status !== 200)
      throw new Error(`${method} ${url}: ${response.status}: ${text.slice(0, 500)}`);
    return text;
  };
  const body = await request('GET', `tasks/${task}`);
  const milliseconds = performance.now() - began;
  return {
    baseUrl,
    token,
    body,
    milliseconds,
    request,
    port: Number(new URL(baseUrl).port),
    megabytes: () => Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`))[1]) / 1024,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'exit');
    },
  };
}

/** Reads the first pages of a folder in order. Returns the median of their milliseconds. */
async function readPages({ request }) {
  const taken = [];
  let next = '';
  for (let page = 0; page < pages; page++) {
    const began = performance.now();
    const text = await request('GET', `folders/${folder}/tasks?pageSize=${pageSize}${next}`);
    taken.push(performance.now() - began);
    const { data, nextPageToken } = JSON.parse(text);
    if (data.length !== pageSize) throw new Error(`A page has ${data.length} tasks`);
    next = `&nextPageToken=${nextPageToken}`;
  }
  return median(taken);
}

/** Calls `use` with an emulator of each build. */
async function withEmulators(builds, environment, use) {
  const emulators = [];
  try {
    for (const wm of builds) emulators.push(await startEmulator(wm, environment));
    return await use(emulators);
  } finally {
    for (const { stop } of emulators) await stop();
  }
}

/** Prints a table, and returns the missed targets. */
export async function benchEmulator({ builds, environment }) {
  const paths = Object.values(builds);
  const rounds = 9;
  const missed = [];
  printRow([`\nemulator, ${rounds} rounds`, 'measured', 'target', paths.length > 1 ? 'other' : '']);
  const row = (name, values, digits = 0, wanted = '', isMet = true) => {
    const [mine, other] = values.map((value) => value.toFixed(digits));
    if (!isMet) missed.push(`${name}: ${mine} (${wanted})`);
    printRow([name, mine, wanted, other ?? '', isMet ? '' : 'missed']);
  };

  const starts = await takeRounds(
    21,
    paths.map((wm) => async () => {
      const { milliseconds, megabytes, stop } = await startEmulator(wm, environment);
      const resident = megabytes();
      await stop();
      return { milliseconds, resident };
    }),
  );
  const ready = starts.map((times) => median(times.map(({ milliseconds }) => milliseconds)));
  row('ready, ms', ready, 0, `under ${target.readyMs}`, ready[0] < target.readyMs);
  const resident = starts.map((times) => median(times.map((one) => one.resident)));
  row('memory, MB', resident);

  const [bases, ...updates] = await withEmulators(paths, environment, async (emulators) => {
    const bare = await start([process.execPath, '-e', constant], { ...environment, BODY: emulators[0].body });
    const runs = [{ port: bare.port, token: 'token' }, ...emulators].map(
      ({ port, token }) =>
        async (milliseconds = 1_500) =>
          (await send(port, milliseconds, undefined, 16, token)).perSecond,
    );
    try {
      // Let V8 compile the code before measuring.
      for (const run of runs) await run(5_000);
      return await takeRounds(
        rounds,
        runs.map((run) => () => run()),
      );
    } finally {
      await bare.stop();
    }
  });
  row('updates a second', updates.map(median), 0, `${target.updates}`, median(updates[0]) >= target.updates);
  row('constants a second', [median(bases)]);
  const ratios = updates.map((one) => ratioOf(one, bases));
  row('ratio', ratios, 2, `${target.ratio}`, ratios[0] >= target.ratio);

  const accounts = paths.flatMap((wm) => [wm, wm]);
  await withEmulators(accounts, environment, async (emulators) => {
    for (const [at, { request }] of emulators.entries())
      await request('POST', '/_emulator/tasks', JSON.stringify({ count: at % 2 === 0 ? 1_000 : 100_000 }));
    const large = emulators.filter((_, at) => at % 2 === 1).map(({ megabytes }) => megabytes());
    for (const emulator of emulators) await readPages(emulator);
    const taken = await takeRounds(
      rounds,
      emulators.map((emulator) => () => readPages(emulator)),
    );
    const pageRatios = paths.map((_, at) => ratioOf(taken[2 * at + 1], taken[2 * at]));
    row(
      'page of 1,000, ms',
      paths.map((_, at) => median(taken[2 * at])),
      2,
    );
    row(
      'page of 100,000, ratio',
      pageRatios,
      2,
      `under ${target.pageRatio}`,
      pageRatios[0] < target.pageRatio,
    );
    row('with 100,000 tasks, MB', large);
  });
  return missed;
}
