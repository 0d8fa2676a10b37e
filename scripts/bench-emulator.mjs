// npm run bench:emulator: how soon an emulator answers after the command, and how many task updates a second it takes
// over keep-alive connections, as a ratio to a bare node:http server that answers a constant, measured in the same run,
// one after the other. The load comes from a process of its own. Exits with 1 where a target is missed.

import { fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, get } from 'node:http';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';

const self = fileURLToPath(import.meta.url);
const wm = fileURLToPath(new URL('../bin/wm.js', import.meta.url));
const target = { readyMs: 300, updates: 3_000, ratio: 0.4 };
const task = 'IEAAAAAQKQAB5BNG';
const connections = 16;
const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

if (process.argv[2] === 'load') load();
else if (process.argv[2] === 'bare') bare();
else await bench(Number(process.argv[2] ?? 9));

/** A server that answers every request with what it is told first. */
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

/** Sends updates over a few connections for some time, each as soon as the one before is answered, and counts them. */
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

function answerOf(url, token) {
  return new Promise((resolve, reject) => {
    get(url, { headers: { Authorization: `Bearer ${token}` }, agent: false }, (answer) => {
      let body = '';
      answer.setEncoding('utf8').on('data', (piece) => {
        body += piece;
      });
      answer.on('end', () => resolve({ status: answer.statusCode, body }));
    }).on('error', reject);
  });
}

/** From the command to the first answer. */
async function start() {
  const environment = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^WM_|^NODE_EXTRA_CA_CERTS$/.test(name)),
  );
  const began = performance.now();
  const child = spawn(process.execPath, [wm, 'emulator', 'start', '--json'], {
    env: environment,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = await once(child.stdout, 'data');
  const ready = JSON.parse(String(line));
  const { status, body } = await answerOf(`${ready.baseUrl}/tasks/${task}`, ready.token);
  const milliseconds = performance.now() - began;
  if (status !== 200) throw new Error(`the first answer is ${status}: ${body}`);
  return { child, ready, body, milliseconds };
}

async function stop(child) {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

async function bench(rounds) {
  await import('./build.mjs');
  process.stdout.write(`node ${process.version}; medians\n\n`);
  const times = [];
  for (let round = 0; round < 21; round++) {
    const { child, milliseconds } = await start();
    times.push(milliseconds);
    await stop(child);
  }
  const readyMs = median(times);

  const { child, ready, body } = await start();
  const constant = fork(self, ['bare']);
  constant.send(body);
  const [barePort] = await once(constant, 'message');
  const loader = fork(self, ['load']);
  const rate = async (port, milliseconds) => {
    loader.send({ port, token: ready.token, milliseconds });
    const [perSecond] = await once(loader, 'message');
    return perSecond;
  };
  const port = Number(new URL(ready.baseUrl).port);
  // What is slow is compiled before it is measured.
  await rate(port, 5_000);
  await rate(barePort, 1_500);
  const updates = [];
  const bases = [];
  const ratios = [];
  for (let round = 0; round < rounds; round++) {
    const base = await rate(barePort, 1_500);
    const own = await rate(port, 1_500);
    bases.push(base);
    updates.push(own);
    ratios.push(own / base);
  }
  loader.kill();
  constant.kill();
  await stop(child);

  const lines = [
    ['ready, ms', readyMs.toFixed(0), `under ${target.readyMs}`, readyMs < target.readyMs],
    ['updates a second', median(updates).toFixed(0), `${target.updates}`, median(updates) >= target.updates],
    ['constants a second', median(bases).toFixed(0), '', true],
    ['ratio', median(ratios).toFixed(2), `${target.ratio}`, median(ratios) >= target.ratio],
  ];
  process.stdout.write('                      measured     target\n');
  for (const [name, measured, wanted, met] of lines) {
    const cells = [name.padEnd(20), measured.padStart(10), wanted.padStart(11), met ? '' : '  missed'];
    process.stdout.write(`${cells.join('').trimEnd()}\n`);
  }
  process.exitCode = lines.every(([, , , met]) => met) ? 0 : 1;
}
