// Sends signed deliveries for a benchmark, or with a token updates of an emulator's task: PORT SECRET CONNECTIONS MILLISECONDS TOKEN.
// Each connection sends as soon as it has its response. Prints the rate, a percentile and processor time as JSON.

import { createHmac, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';

const [, , port, secret, connections, milliseconds, token] = process.argv;
const run = randomBytes(4).toString('hex');
let made = 0;

const nextRequest = token ? nextUpdate : nextDelivery;

/** Every update changes the task. */
function nextUpdate() {
  return `PUT /api/v4/tasks/IEAAAAAQKQAB5BNG?title=update+${++made} HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nAuthorization: Bearer ${token}\r\n\r\n`;
}

/** A body of about 520 bytes, like a delivery with old values. */
function nextDelivery() {
  const number = ++made;
  const body = JSON.stringify([
    {
      webhookId: 'IEAAAAAQQQQQQQQQ',
      eventAuthorId: 'KUAAAAAA',
      eventType: 'TaskTitleChanged',
      lastUpdatedDate: '2026-02-02T09:00:00Z',
      taskId: `IEAAAAAQKQ${String(number % 1000).padStart(6, '0')}`,
      oldValue: 'x'.repeat(150),
      title: 'y'.repeat(150) + number,
    },
  ]);
  const signature = createHmac('sha256', secret).update(body).digest('hex');
  return `POST /hook HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\nX-Hook-Signature: ${signature}\r\nIdempotency-Key: ${run}-${number}\r\n\r\n${body}`;
}

const times = [];
const begins = performance.now();
const processorBefore = process.cpuUsage();
let open = Number(connections);

function report() {
  const seconds = (performance.now() - begins) / 1_000;
  times.sort((a, b) => a - b);
  const { user, system } = process.cpuUsage(processorBefore);
  const processorMs = (user + system) / 1_000;
  const count = times.length;
  const p99 = times[Math.floor(count * 0.99)];
  process.stdout.write(`${JSON.stringify({ perSecond: count / seconds, count, processorMs, p99 })}\n`);
}

for (let lane = 0; lane < connections; lane++) {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  let since = 0;
  let rest = '';
  const next = () => {
    since = performance.now();
    if (since < begins + Number(milliseconds)) return socket.write(nextRequest());
    socket.destroy();
    if (--open === 0) report();
  };
  socket.setEncoding('latin1').on('data', (piece) => {
    rest += piece;
    const head = rest.indexOf('\r\n\r\n');
    if (head === -1) return;
    const length = Number(/content-length: (\d+)/i.exec(rest.slice(0, head))?.[1] ?? 0);
    const isWhole = /transfer-encoding: chunked/i.test(rest.slice(0, head))
      ? rest.endsWith('0\r\n\r\n')
      : rest.length >= head + 4 + length;
    if (!isWhole) return;
    if (rest.slice(9, 12) !== '200') throw new Error(`Not every response was 200: ${rest}`);
    rest = '';
    times.push(performance.now() - since);
    next();
  });
  socket.on('connect', next);
}
