// Measures how many deliveries per second `wm webhook forward` sends from a sink, to a program that responds at once and to one
// that takes 10 ms. One partition shows the time of a single delivery, 64 what one process can do.

import { get } from 'node:http';
import { performance } from 'node:perf_hooks';
import { send, start } from './listen.mjs';
import { watchProcessors } from './processor-time.mjs';

const windowMs = 4_000;
const cases = [
  { partitions: 1, targetMs: 0 },
  { partitions: 1, targetMs: 10 },
  { partitions: 64, targetMs: 0 },
  { partitions: 64, targetMs: 10 },
];

/** A GET returns the number of deliveries. */
const program = (milliseconds) => `
let count = 0;
require('node:http').createServer((request, response) => {
  if (request.method === 'GET') return response.end(String(count));
  request.resume().on('end', () => {
    count++;
    ${milliseconds === 0 ? 'response.end()' : `setTimeout(() => response.end(), ${milliseconds})`};
  });
}).listen(0, '127.0.0.1', function () { console.log(this.address().port); });
`;

const countAt = (port) =>
  new Promise((resolve, reject) => {
    get({ host: '127.0.0.1', port }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece) => {
        text += piece;
      });
      response.on('end', () => resolve(Number(text)));
    }).on('error', reject);
  });

const wait = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

export async function benchForwarding({ wm, environment, cluster, createSink, urlOn }) {
  process.stdout.write(
    '\nsink: deliveries that one forwarder sends a second, and microseconds of processor time for each\n',
  );
  for (const [at, { partitions, targetMs }] of cases.entries()) {
    const url = urlOn(cluster, `FORWARD${at}`);
    await createSink(url, '--partitions', String(partitions));
    const receiver = await start(wm('listen', '--port', '0', '--sink', url), environment);
    // More than can be sent meanwhile, so that no partition becomes empty.
    const { count: stored } = await send(receiver.port, 4_000, undefined, 200);
    await receiver.stop();
    const behind = await start([process.execPath, '-e', program(targetMs)], environment);
    const forwarder = await start(
      wm('forward', '--sink', url, '--forward-to', `http://127.0.0.1:${behind.port}/`, '--json'),
      environment,
    );
    while ((await countAt(behind.port)) < 2 * partitions) await wait(50);
    await wait(1_000);
    const taken = watchProcessors([forwarder.pid, ...cluster.pids]);
    const [before, began] = [await countAt(behind.port), performance.now()];
    await wait(windowMs);
    const after = await countAt(behind.port);
    const seconds = (performance.now() - began) / 1_000;
    const [own, ...nats] = taken().map((milliseconds) => (milliseconds * 1_000) / (after - before));
    const perSecond = (after - before) / seconds;
    process.stdout.write(
      `  ${String(partitions).padStart(3)} ${partitions === 1 ? 'partition, ' : 'partitions,'} a program that takes ${String(targetMs).padStart(2)} ms: ${perSecond.toFixed(0).padStart(5)}  wm ${own.toFixed(0)}  nats ${nats.map((one) => one.toFixed(0)).join('+')}${after > stored / 3 ? '  (partitions may have run dry)' : ''}\n`,
    );
    await forwarder.stop();
    await behind.stop();
  }
}
