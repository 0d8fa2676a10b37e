// How soon an emulator responds after the command, and how many task updates a second it takes over keep-alive
// connections, as a ratio to a bare node:http server that responds with a constant, measured in the same run, one after
// the other; how long a page of a folder's tasks takes where there are 100,000, as a ratio to one of 1,000; and how much memory
// it has after its first response, and with 100,000 tasks. The load comes from a process of its own: this file, run with the word
// `load`; with `bare`, it is the server.

import { execFileSync, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, get, request as httpRequest } from 'node:http';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { inTurn, median, ratioOf } from './median.mjs';

const self = fileURLToPath(import.meta.url);
const target = { readyMs: 300, updates: 3_000, ratio: 0.4, pageRatio: 1.5 };
const task = 'IEAAAAAQKQAB5BNG';
const connections = 16;
const folder = 'IEAAAAAQI4AB5FLD';
const accounts = { small: 1_000, large: 100_000 };
const pageSize = 50;
const pageCount = 15;

if (process.argv[2] === 'load') load();
if (process.argv[2] === 'bare') bare();

/** A server that responds to every request with what its parent sends first. */
function bare() {
  process.once('message', (body) => {
    const headers = {
      'Content-Type': 'application/json;charset=utf-8',
      'Content-Length': Buffer.byteLength(body),
    };
    const server = createServer((_, response) => {
      response.writeHead(200, headers);
      response.end(body);
    });
    server.listen(0, '127.0.0.1', () => process.send(server.address().port));
  });
}

/** Sends updates over a few connections for some time, each as soon as the one before has its response, and counts them. */
function load() {
  process.on('message', ({ port, token, milliseconds }) => {
    let count = 0;
    let open = connections;
    const end = performance.now() + milliseconds;
    const begins = performance.now();
    for (let lane = 0; lane < connections; lane++) {
      const socket = connect(port, '127.0.0.1');
      socket.setNoDelay(true);
      // Every update changes something.
      const next = () =>
        socket.write(
          `PUT /api/v4/tasks/${task}?title=update+${lane}+${count} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`,
        );
      let rest = '';
      socket.setEncoding('latin1').on('data', (piece) => {
        rest += piece;
        const head = rest.indexOf('\r\n\r\n');
        if (head === -1) return;
        const length = Number(/content-length: (\d+)/i.exec(rest.slice(0, head))?.[1]);
        if (rest.length < head + 4 + length) return;
        if (!rest.startsWith('HTTP/1.1 200 ')) throw new Error(rest.slice(0, 500));
        rest = '';
        count++;
        if (performance.now() < end) return next();
        socket.destroy();
        if (--open === 0) process.send(count / ((performance.now() - begins) / 1_000));
      });
      socket.on('connect', next);
    }
  });
}

function responseOf(url, token) {
  return new Promise((resolve, reject) => {
    get(url, { headers: { Authorization: `Bearer ${token}` }, agent: false }, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (piece) => {
        body += piece;
      });
      response.on('end', () => resolve({ status: response.statusCode, body }));
    }).on('error', reject);
  });
}

/** From the command to the first response. */
async function start(wm, environment) {
  const began = performance.now();
  const child = spawn(process.execPath, [wm, 'emulator', 'start', '--json'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  const ready = JSON.parse(String(line));
  const { status, body } = await responseOf(`${ready.baseUrl}/tasks/${task}`, ready.token);
  const milliseconds = performance.now() - began;
  if (status !== 200) throw new Error(`the first response is ${status}: ${body}`);
  return { child, ready, body, milliseconds };
}

/** The memory that a process has, in MB. */
const residentOf = ({ pid }) =>
  Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' })) / 1024;

async function stop(child) {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

/** From the command to the first response, in milliseconds, and the memory then: for each build, 21 times in turn. */
async function benchReady(builds, environment) {
  const runs = builds.map((wm) => async () => {
    const { child, milliseconds } = await start(wm, environment);
    const resident = residentOf(child);
    await stop(child);
    return { milliseconds, resident };
  });
  const taken = runs.map(() => []);
  for (let round = 0; round < 21; round++) {
    for (const [at, time] of (await inTurn(round, runs)).entries()) taken[at].push(time);
  }
  return taken;
}

/** Updates a second: of the bare server first, then of each build. */
async function benchUpdates(builds, environment, rounds) {
  const emulators = [];
  for (const wm of builds) emulators.push(await start(wm, environment));
  const constant = fork(self, ['bare']);
  const loader = fork(self, ['load']);
  try {
    constant.send(emulators[0].body);
    const [barePort] = await once(constant, 'message');
    const rate = (port, token, milliseconds) => async () => {
      loader.send({ port, token, milliseconds });
      const [perSecond] = await once(loader, 'message');
      return perSecond;
    };
    const portOf = ({ ready }) => Number(new URL(ready.baseUrl).port);
    // What is slow is compiled before it is measured.
    for (const emulator of emulators) await rate(portOf(emulator), emulator.ready.token, 5_000)();
    await rate(barePort, '', 1_500)();
    const runs = [
      rate(barePort, '', 1_500),
      ...emulators.map((emulator) => rate(portOf(emulator), emulator.ready.token, 1_500)),
    ];
    const taken = runs.map(() => []);
    for (let round = 0; round < rounds; round++) {
      for (const [at, perSecond] of (await inTurn(round, runs)).entries()) taken[at].push(perSecond);
    }
    return taken;
  } finally {
    loader.kill();
    constant.kill();
    for (const { child } of emulators) await stop(child);
  }
}

/** The first pages of a folder, each after the one before: milliseconds for each. */
async function readPages({ ready }) {
  const taken = [];
  let next = '';
  for (let page = 0; page < pageCount; page++) {
    const began = performance.now();
    const url = `${ready.baseUrl}/folders/${folder}/tasks?pageSize=${pageSize}${next}`;
    const { status, body } = await responseOf(url, ready.token);
    taken.push(performance.now() - began);
    const { data, nextPageToken } = JSON.parse(body);
    if (status !== 200 || data.length !== pageSize) throw new Error(`${url}: ${body.slice(0, 500)}`);
    next = `&nextPageToken=${nextPageToken}`;
  }
  return taken;
}

function createTasks({ ready }, count) {
  return new Promise((resolve, reject) => {
    const { origin } = new URL(ready.baseUrl);
    const request = httpRequest(`${origin}/_emulator/tasks`, { method: 'POST' }, (response) => {
      response.resume().on('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`creating tasks: ${response.statusCode}`));
      });
    });
    request.on('error', reject);
    request.setHeader('Content-Type', 'application/json');
    request.end(JSON.stringify({ count }));
  });
}

/** How long a page takes in a small account, and in a large one, and the memory of a large one: of each build. */
async function benchPages(builds, environment, rounds) {
  const emulators = [];
  const large = [];
  try {
    for (const wm of builds) {
      for (const count of [accounts.small, accounts.large]) {
        const emulator = await start(wm, environment);
        emulators.push(emulator);
        await createTasks(emulator, count);
        if (count === accounts.large) large.push(residentOf(emulator.child));
      }
    }
    const runs = emulators.map((emulator) => async () => median(await readPages(emulator)));
    // What is slow is compiled before it is measured.
    for (const run of runs) await run();
    const taken = runs.map(() => []);
    for (let round = 0; round < rounds; round++) {
      for (const [at, time] of (await inTurn(round, runs)).entries()) taken[at].push(time);
    }
    return { taken, large };
  } finally {
    for (const { child } of emulators) await stop(child);
  }
}

/** Prints a table; gives back what missed its target. */
export async function benchEmulator({ builds, environment }) {
  const paths = Object.values(builds);
  const rounds = 9;
  process.stdout.write(`\nemulator, ${rounds} rounds      measured     target`);
  process.stdout.write(paths.length > 1 ? '      other  ratio to it\n' : '\n');
  const starts = await benchReady(paths, environment);
  const [ready, otherReady] = starts.map((times) => times.map(({ milliseconds }) => milliseconds));
  const [resident, otherResident] = starts.map((times) => times.map((one) => one.resident));
  const [bases, updates, otherUpdates] = await benchUpdates(paths, environment, rounds);
  const pages = await benchPages(paths, environment, rounds);
  const [small, large, otherSmall, otherLarge] = pages.taken;
  const [full, otherFull] = pages.large.map((megabytes) => [megabytes]);
  const pageRatio = ratioOf(large, small);
  const ratio = ratioOf(updates, bases);
  const otherRatio = otherUpdates && ratioOf(otherUpdates, bases);
  const whole = (number) => number.toFixed(0);
  const beside = (mine, others) =>
    others === undefined ? [] : [whole(median(others)), ratioOf(mine, others).toFixed(3)];
  const lines = [
    {
      name: 'ready, ms',
      measured: whole(median(ready)),
      target: `under ${target.readyMs}`,
      met: median(ready) < target.readyMs,
      other: beside(ready, otherReady),
    },
    {
      name: 'updates a second',
      measured: whole(median(updates)),
      target: `${target.updates}`,
      met: median(updates) >= target.updates,
      other: beside(updates, otherUpdates),
    },
    { name: 'constants a second', measured: whole(median(bases)), target: '', met: true, other: [] },
    {
      name: 'ratio',
      measured: ratio.toFixed(2),
      target: `${target.ratio}`,
      met: ratio >= target.ratio,
      other: otherRatio === undefined ? [] : [otherRatio.toFixed(2)],
    },
    {
      name: 'page of 1,000, ms',
      measured: median(small).toFixed(2),
      target: '',
      met: true,
      other: otherSmall === undefined ? [] : [median(otherSmall).toFixed(2)],
    },
    {
      name: 'page of 100,000, ratio',
      measured: pageRatio.toFixed(2),
      target: `under ${target.pageRatio}`,
      met: pageRatio < target.pageRatio,
      other: otherLarge === undefined ? [] : [ratioOf(otherLarge, otherSmall).toFixed(2)],
    },
    {
      name: 'memory, MB',
      measured: whole(median(resident)),
      target: '',
      met: true,
      other: beside(resident, otherResident),
    },
    {
      name: 'with 100,000 tasks, MB',
      measured: whole(median(full)),
      target: '',
      met: true,
      other: beside(full, otherFull),
    },
  ];
  for (const { name, measured, target: wanted, met, other } of lines) {
    const cells = [name.padEnd(22), measured.padStart(12), wanted.padStart(11)];
    const others = other.map((cell, at) => cell.padStart(at === 0 ? 11 : 13));
    process.stdout.write(`${[...cells, ...others, met ? '' : '  missed'].join('').trimEnd()}\n`);
  }
  return lines
    .filter(({ met }) => !met)
    .map(({ name, measured, target: wanted }) => `${name}: ${measured} (${wanted})`);
}
