// Measures how soon something is ready: an emulator in a test's own process (`wm-cli/emulator`) beside a bare node:http server, and
// `wm webhook listen` with a journal of a million deliveries beside `node -e 0`.

import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { buildLibrary } from '../build-program.mjs';
import { printComparison, runNode, secret, send, takeRounds } from './compare.mjs';

/** Prints the time and CPU time of `start`. */
const program = (start, stop) => `
  const begins = performance.now();
  const before = process.cpuUsage();
  ${start}
  const own = performance.now() - begins;
  const used = process.cpuUsage(before);
  console.log(own, (used.user + used.system) / 1_000);
  ${stop}`;
const inProcess = (library) =>
  program(
    `const { startEmulator } = await import(${JSON.stringify(pathToFileURL(library).href)});
    const emulator = await startEmulator();`,
    'await emulator.stop();',
  );
const bare = program(
  `const { createServer } = await import('node:http');
  const server = createServer((_, response) => response.end('{}'));
  await new Promise((listening) => server.listen(0, '127.0.0.1', listening));`,
  'server.close();',
);

export async function benchLibrary({ builds, environment, rounds = 21 }) {
  const clones = Object.values(builds).map((wm) => `${dirname(dirname(wm))}/`);
  for (const clone of clones) await buildLibrary(clone);
  const scripts = [bare, ...clones.map((clone) => inProcess(`${clone}dist/emulator-library.js`))];
  const runs = scripts.map((script) => async () => {
    const { stdout } = await runNode(['--input-type=module', '-e', script], environment);
    return stdout.split(' ').map(Number);
  });
  for (const one of runs) await one();
  const taken = await takeRounds(rounds, runs);
  return ['ms', 'ms of processor time'].flatMap((unit, at) =>
    printComparison(
      `library: import and start, ${unit}`,
      taken.map((all) => all.map((one) => one[at])),
      { most: 100 },
    ),
  );
}

/** The deliveries arrive over HTTP. */
export async function benchJournal({ builds, environment, folder, start, rounds = 9 }) {
  const words = ['webhook', 'listen', '--port', '0', '--journal', join(folder, 'journal')];
  const env = { ...environment, HOME: folder, WM_WEBHOOK_SECRET: secret };
  const listen = () => start([process.execPath, builds.wm, ...words], env);
  const receiver = await listen();
  let stored = 0;
  while (stored < 1_000_000) stored += (await send(receiver.port, 5_000)).count;
  await receiver.stop();
  const taken = await takeRounds(
    rounds,
    [() => runNode(['-e', '0'], env), listen].map((begin) => async () => {
      const began = performance.now();
      const started = await begin();
      const milliseconds = performance.now() - began;
      await started.stop?.();
      return milliseconds;
    }),
  );
  return printComparison(`journal: ms until ready with ${stored} deliveries`, taken, { most: 300 });
}
