// Measures what wm does a second beside the plainest program for the same work: rows that a bulk run updates beside an undici loop
// without a journal, updates of the emulator beside a server that sends a constant, and deliveries stored beside bare-receiver.mjs.

import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { printComparison, runNode, secret, send, takeRounds } from './compare.mjs';

const updates = 20_000;
const concurrency = 8;

/** Equally many at once, each response parsed, nothing stored. Prints its updates per second. */
const loop = `
import { readFileSync } from 'node:fs';
import { Pool } from ${JSON.stringify(pathToFileURL(createRequire(import.meta.url).resolve('undici')).href)};
const lines = readFileSync(process.argv[2], 'utf8').trim().split('\\n').slice(1);
const pool = new Pool('http://' + process.env.WM_HOST, { connections: ${concurrency} });
const headers = { authorization: 'Bearer ' + process.env.WM_TOKEN };
let at = 0, right = 0;
const start = performance.now();
await Promise.all(Array.from({ length: ${concurrency} }, async () => {
  while (at < lines.length) {
    const [id, title] = lines[at++].split(',');
    const path = '/api/v4/tasks/' + id + '?title=' + encodeURIComponent(title);
    const { body } = await pool.request({ method: 'PUT', path, headers });
    if ((await body.json()).data[0].id === id) right++;
  }
}));
if (right !== lines.length) throw new Error(right + ' were right');
process.stdout.write(String(lines.length / (performance.now() - start) * 1000));
await pool.close();
`;

/** A shared machine may be a third slower from one second to the next, so there are many rounds. */
export async function benchBulk({ builds, environment, folder, start, rounds = 13 }) {
  const { host, token } = await startEmulator(start, builds.wm, environment);
  const env = { ...environment, WM_HOST: host, WM_TOKEN: token, WM_CONFIG_DIR: join(folder, 'config') };
  const request = { method: 'POST', body: JSON.stringify({ count: updates }) };
  const { taskIds } = await (await fetch(`http://${host}/_emulator/tasks`, request)).json();
  const script = join(folder, 'loop.mjs');
  await writeFile(script, loop);
  let files = 0;
  // Titles of one length, each different: an update that changes nothing costs the emulator less.
  const writeRows = async () => {
    const file = join(folder, `${100 + ++files}.csv`);
    const lines = taskIds.map((id, at) => `${id},${100 + files} title ${at}`);
    await writeFile(file, `id,title\n${lines.join('\n')}\n`);
    return file;
  };
  const plain = async () => Number((await runNode([script, await writeRows()], env)).stdout);
  const bulkOf = (wm) => async () => {
    const words = ['task', 'update', '--from', await writeRows(), '--yes', '--concurrency', `${concurrency}`];
    const { stderr } = await runNode([wm, ...words], env);
    const printed = /([\d,]+) of [\d,]+ rows\b.* in ([\d.]+) s \(([\d,]+)\/s\)/.exec(stderr);
    if (printed?.[1] !== updates.toLocaleString('en')) throw new Error(stderr);
    return Number(printed[3].replaceAll(',', ''));
  };
  const taken = await takeRounds(rounds, [plain, ...Object.values(builds).map(bulkOf)]);
  return printComparison('bulk: rows updated a second', taken, { least: 0.9 });
}

/** Responds to every request with the body in its environment. */
const constant = `
const { BODY } = process.env;
const headers = { 'Content-Type': 'application/json;charset=utf-8', 'Content-Length': Buffer.byteLength(BODY) };
require('node:http').createServer((_, response) => response.writeHead(200, headers).end(BODY))
  .listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;

export async function benchEmulator({ builds, environment, start, rounds = 9 }) {
  const emulators = [];
  for (const wm of Object.values(builds)) emulators.push(await startEmulator(start, wm, environment));
  const [{ baseUrl, token }] = emulators;
  const response = await fetch(`${baseUrl}/tasks/IEAAAAAQKQAB5BNG`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  const env = { ...environment, BODY: await response.text() };
  const bare = await start([process.execPath, '-e', constant], env);
  const runs = [{ ...bare, token: 'token' }, ...emulators].map(
    (server) =>
      async (milliseconds = 1_500) =>
        (await send(server.port, milliseconds, 16, server.token)).perSecond,
  );
  // Let V8 compile the code before measuring.
  for (const one of runs) await one(5_000);
  const taken = await takeRounds(rounds, runs);
  return printComparison('emulator: updates a second', taken, { least: 0.4 });
}

export async function benchListen({ builds, environment, folder, start, rounds = 5 }) {
  let journals = 0;
  const receiver = fileURLToPath(new URL('bare-receiver.mjs', import.meta.url));
  // Nothing listens at the target, so deliveries wait in the journal: only receiving is measured.
  const listen = ['webhook', 'listen', '--port', '0', '--forward-to', 'http://127.0.0.1:1/', '--journal'];
  const commands = [
    () => [receiver, join(folder, `${++journals}`), secret],
    ...Object.values(builds).map((wm) => () => [wm, ...listen, join(folder, `${++journals}`)]),
  ];
  const env = { ...environment, HOME: folder, WM_WEBHOOK_SECRET: secret };
  const runs = commands.map((command) => async () => {
    const { port, stop } = await start([process.execPath, ...command()], env);
    await send(port, 4_000);
    const { perSecond } = await send(port, 5_000);
    await stop();
    return perSecond;
  });
  const taken = await takeRounds(rounds, runs);
  return printComparison('listen: deliveries stored a second', taken, { least: 0.8 });
}

async function startEmulator(start, wm, environment) {
  const command = [process.execPath, wm, 'emulator', 'start', '--json'];
  const { text, port } = await start(command, environment, /127\.0\.0\.1:(\d+).*\}\n/);
  return { ...JSON.parse(text), port };
}
