// Measures how soon a test has an emulator in its own process (`wm-cli/emulator`), in turn with a bare node:http server that is
// started in the same way.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { dirname } from 'node:path';
import { performance } from 'node:perf_hooks';
import { pathToFileURL } from 'node:url';
import { buildLibrary } from '../build-program.mjs';
import { median, printRow, ratioOf, takeRounds } from './median.mjs';

/** For the library alone: `import` and the first start. Starting Node takes as long again. */
const targetMs = 100;

/** Prints the time and CPU time of `start`, and the response to a later request. */
const program = (start, stop) => `
  const begins = performance.now();
  const before = process.cpuUsage();
  ${start}
  const own = performance.now() - begins;
  const used = process.cpuUsage(before);
  const response = await fetch(url, { headers: { Authorization: 'Bearer ' + token } });
  if (response.status !== 200) throw new Error(await response.text());
  await response.text();
  console.log(own, (used.user + used.system) / 1_000);
  ${stop}`;
const inProcess = (library) =>
  program(
    `const { startEmulator } = await import(${JSON.stringify(pathToFileURL(library).href)});
    const emulator = await startEmulator();
    const { token } = emulator;
    const url = emulator.baseUrl + '/tasks/' + emulator.sample.task;`,
    'await emulator.stop();',
  );
const bare = program(
  `const { createServer } = await import('node:http');
  const server = createServer((_, response) => response.end('{}'));
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
  const token = '';
  const url = 'http://127.0.0.1:' + server.address().port;`,
  'server.closeAllConnections(); server.close();',
);

/** `all`: from the start of the process to its response. `own` and `processor`: time and CPU time of import and start. */
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

/** Prints a table, and returns the missed targets. */
export async function benchLibrary({ builds, environment, rounds = 21 }) {
  const clones = Object.values(builds).map((wm) => `${dirname(dirname(wm))}/`);
  for (const clone of clones) await buildLibrary(clone);
  const scripts = [bare, ...clones.map((clone) => inProcess(`${clone}dist/emulator-library.js`))];
  const runs = scripts.map((script) => () => take(script, environment));
  for (const run of runs) await run();
  const [base, mine, others] = await takeRounds(rounds, runs);
  printRow([`\nwm-cli/emulator, ${rounds} rounds`, 'ms', 'node:http', 'ratio', others ? 'to other' : '']);
  for (const [title, name] of [
    [`import and start (${targetMs} ms)`, 'own'],
    ['the same in CPU time', 'processor'],
    ['from the process to a response', 'all'],
  ]) {
    const of = (list) => list.map((one) => one[name]);
    printRow([
      title,
      median(of(mine)).toFixed(1),
      median(of(base)).toFixed(1),
      ratioOf(of(mine), of(base)).toFixed(2),
      others ? ratioOf(of(mine), of(others)).toFixed(3) : '',
    ]);
  }
  const ready = median(mine.map(({ own }) => own));
  return ready < targetMs ? [] : [`import and start take ${ready.toFixed(0)} ms (${targetMs})`];
}
