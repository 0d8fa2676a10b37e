// What a user waits for on a terminal: from `wm webhook suspend` to "suspended", read back from an emulator, by a few letters,
// Enter and y; and a keypress in a list of 10,000 webhooks.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { performance } from 'node:perf_hooks';
import { inTurn, median } from './median.mjs';
import { openTerminal } from './terminal.mjs';

const target = { suspendMs: 2_000, keyMs: 50 };
const count = 10_000;

const backspace = '\x7f';

const url = (number) => `https://hooks.example.com/team${number}/deliveries`;

const urls = Array.from({ length: count }, (_, at) => url(at));

/** A service that lists 10,000 webhooks. */
const service = `
const data = Array.from({ length: ${count} }, (_, at) => ({
  id: 'IEAAAAAQW' + String(at).padStart(11, '0'), accountId: 'IEAAAAAQ',
  hookUrl: 'https://hooks.example.com/team' + at + '/deliveries', status: 'Active' }));
const body = JSON.stringify({ kind: 'webhooks', data });
require('node:http').createServer((request, response) => {
  response.setHeader('Content-Type', 'application/json');
  response.end(body);
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;

async function firstLine(child) {
  const [line] = await once(child.stdout, 'data');
  return String(line).trim();
}

/** Prints a table; gives back what missed its target. */
export async function benchPicker({ builds, environment, folder, rounds }) {
  const missed = [];
  const write = (name, values, most) => {
    const slowest = Math.max(...values);
    const isMissed = median(values) > most;
    if (isMissed) missed.push(`${name} takes ${median(values).toFixed(1)} ms (${most})`);
    process.stdout.write(
      `${name.padEnd(40)}${median(values).toFixed(1).padStart(8)}${slowest.toFixed(1).padStart(10)}${String(most).padStart(8)}${isMissed ? '  missed' : ''}\n`,
    );
  };
  process.stdout.write(
    `\non a terminal: 100 webhooks in an emulator, ${count} in the list; ${rounds} rounds each\n`,
  );
  process.stdout.write('                                          median   slowest  target\n');
  const emulator = await suspendTimes(builds, environment, folder, rounds);
  for (const [name, times] of Object.entries(emulator))
    write(`suspend, letters, Enter, y (${name})`, times, target.suspendMs);
  for (const columns of [100, 40]) {
    const keys = await keyTimes(builds, environment, folder, { rounds, columns });
    for (const [name, times] of Object.entries(keys))
      write(`a key, ${columns} columns (${name})`, times, target.keyMs);
  }
  return missed;
}

/** The keys follow at once what they answer, as nobody can type. */
async function suspendTimes(builds, environment, folder, rounds) {
  const child = spawn(process.execPath, [builds.wm, 'emulator', 'start', '--json'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const { baseUrl, token } = JSON.parse(await firstLine(child));
    const env = { ...environment, WM_TOKEN: token, WM_HOST: new URL(baseUrl).host, WM_CONFIG_DIR: folder };
    const call = (method, path) =>
      fetch(`${baseUrl}${path}`, { method, headers: { Authorization: `Bearer ${token}` } }).then((response) =>
        response.json(),
      );
    for (let number = 0; number < 100; number++)
      await call('POST', `/webhooks?hookUrl=${encodeURIComponent(url(number))}`);
    const broken = (await call('GET', '/webhooks')).data.find(({ hookUrl }) => hookUrl === url(17));
    const take = (wm) => async () => {
      const began = performance.now();
      const terminal = openTerminal([wm, 'webhook', 'suspend'], env);
      await terminal.shows('100 of 100');
      terminal.type('team17');
      await terminal.shows('1 of 100');
      terminal.type('\r');
      await terminal.shows('(y/N)');
      terminal.type('y\r');
      if ((await terminal.ended) !== 0) throw new Error('It was not suspended');
      const milliseconds = performance.now() - began;
      const { data } = await call('PUT', `/webhooks/${broken.id}?status=Active`);
      if (data[0].hookUrl !== broken.hookUrl) throw new Error('Another webhook was suspended');
      return milliseconds;
    };
    return await inRounds(builds, rounds, take);
  } finally {
    child.kill('SIGTERM');
    await once(child, 'exit');
  }
}

/** From each key to the number of matches that it leaves. */
async function keyTimes(builds, environment, folder, { rounds, columns }) {
  const child = spawn(process.execPath, ['-e', service], { stdio: ['ignore', 'pipe', 'inherit'] });
  try {
    const env = {
      ...environment,
      WM_TOKEN: 'token',
      WM_HOST: `127.0.0.1:${await firstLine(child)}`,
      WM_CONFIG_DIR: folder,
    };
    const take = (wm) => async () => {
      const terminal = openTerminal([wm, 'webhook', 'suspend'], env, { columns });
      await terminal.shows(`${count} of ${count}`);
      const times = [];
      let query = '';
      for (const key of [...'m5123', ...backspace.repeat(4)]) {
        query = key === backspace ? query.slice(0, -1) : query + key;
        const matches = urls.filter((one) => one.includes(query)).length;
        const began = terminal.type(key);
        times.push((await terminal.shows(`${matches} of ${count}`)) - began);
      }
      terminal.type('\x03');
      await terminal.ended;
      return times;
    };
    const taken = await inRounds(builds, rounds, take);
    return Object.fromEntries(Object.entries(taken).map(([name, times]) => [name, times.flat()]));
  } finally {
    child.kill();
  }
}

async function inRounds(builds, rounds, take) {
  const names = Object.keys(builds);
  const runs = Object.values(builds).map(take);
  const taken = runs.map(() => []);
  for (let round = 0; round < rounds; round++)
    for (const [at, time] of (await inTurn(round, runs)).entries()) taken[at].push(time);
  return Object.fromEntries(names.map((name, at) => [name, taken[at]]));
}
