// How soon a test has an emulator: in its own process (`wm-cli/emulator`), and as a process of its own (`wm emulator start`),
// each from the start of the process to the first response. As ratios to a bare node:http server that is started in the same way,
// in the same run, one after the other.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname, join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { buildLibrary } from '../build-program.mjs';
import { inTurn, median, ratioOf } from './median.mjs';

/** What the library itself takes: `import` and the first start. Of the whole process, Node is the other half. */
const targetMs = 100;

const request = `
  const response = await fetch(url, { headers: { Authorization: 'Bearer ' + token } });
  if (response.status !== 200) throw new Error(await response.text());
  await response.text();`;
const inProcess = (library) => `
  const begins = performance.now();
  const before = process.cpuUsage();
  const { startEmulator } = await import(${JSON.stringify(pathToFileURL(library).href)});
  const emulator = await startEmulator();
  const own = performance.now() - begins;
  const used = process.cpuUsage(before);
  const { token, baseUrl } = emulator;
  const url = baseUrl + '/tasks/' + emulator.sample.task;${request}
  console.log(own, (used.user + used.system) / 1_000);
  await emulator.stop();`;
const bare = `
  const begins = performance.now();
  const before = process.cpuUsage();
  const { createServer } = await import('node:http');
  const server = createServer((_, response) => response.end('{}'));
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const own = performance.now() - begins;
  const used = process.cpuUsage(before);
  const url = 'http://127.0.0.1:' + server.address().port;
  const token = '';${request}
  console.log(own, (used.user + used.system) / 1_000);
  server.closeAllConnections();
  server.close();`;

/** `all`: from the start of the process to its response; `own` and `processor`: the wait and the CPU time of import and start. */
async function take(script, env) {
  const begins = performance.now();
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit');
  const [text] = await once(child.stdout, 'data');
  const all = performance.now() - begins;
  const [status] = await ended;
  if (status !== 0) throw new Error(`the process exited with ${status}`);
  const [own, processor] = String(text).split(' ').map(Number);
  return { all, own, processor };
}

/** Prints a table; gives back what missed its target. */
export async function benchLibrary({ builds, environment, rounds = 21 }) {
  for (const wm of Object.values(builds)) await buildLibrary(`${dirname(dirname(wm))}/`);
  const scripts = [
    bare,
    ...Object.values(builds).map((wm) =>
      inProcess(join(dirname(dirname(wm)), 'dist', 'emulator-library.js')),
    ),
  ];
  const taken = scripts.map(() => []);
  const runs = scripts.map((script) => () => take(script, environment));
  for (const run of runs) await run();
  for (let round = 0; round < rounds; round++) {
    for (const [at, one] of (await inTurn(round, runs)).entries()) taken[at].push(one);
  }
  const [base, mine, others] = taken;
  const part = (name) => (list) => list.map((one) => one[name]);
  const [own, processor, all] = ['own', 'processor', 'all'].map(part);
  const other = builds.other === undefined ? '' : '     other  ratio to it';
  process.stdout.write(
    `\nwm-cli/emulator, ${rounds} rounds            ms  node:http     ratio   target${other}\n`,
  );
  const row = (name, of, target) => {
    const cells = [
      name.padEnd(32),
      median(of(mine)).toFixed(1).padStart(8),
      median(of(base)).toFixed(1).padStart(11),
      ratioOf(of(mine), of(base)).toFixed(2).padStart(10),
      target.padStart(9),
      others === undefined ? '' : median(of(others)).toFixed(1).padStart(10),
      others === undefined ? '' : ratioOf(of(mine), of(others)).toFixed(3).padStart(13),
    ];
    process.stdout.write(`${cells.join('').trimEnd()}\n`);
  };
  row('import and start', own, `${targetMs} ms`);
  row('the same in CPU time', processor, '');
  row('from the process to a response', all, '');
  const ready = median(own(mine));
  return ready < targetMs ? [] : [`import and start take ${ready.toFixed(0)} ms (${targetMs})`];
}
