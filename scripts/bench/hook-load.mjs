// Sends signed deliveries for a benchmark, or with LOAD_TOKEN updates of an emulator's task: PORT SECRET CONNECTIONS MILLISECONDS [RATE].
// Without RATE, each connection sends as soon as it has its response. Prints rates, percentiles and processor time as JSON.

import { createHmac, randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { performance } from 'node:perf_hooks';

const [port, secret, connections, milliseconds, rate] = process.argv
  .slice(2)
  .map((word, at) => (at === 1 ? word : Number(word)));
const run = randomBytes(4).toString('hex');
const token = process.env.LOAD_TOKEN;
let made = 0;

const nextRequest = token === undefined ? nextDelivery : nextUpdate;

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
const others = {};
const idle = [];
/** With a rate: the due times of requests that are waiting for a free connection. */
const overdue = [];
const begins = performance.now();
const processorBefore = process.cpuUsage();
const end = begins + milliseconds;
let open = connections;
let isOver = false;

function report() {
  const seconds = (performance.now() - begins) / 1_000;
  times.sort((a, b) => a - b);
  const at = (part) => times[Math.min(times.length - 1, Math.floor(times.length * part))];
  const { user, system } = process.cpuUsage(processorBefore);
  const processorMs = (user + system) / 1_000;
  const line = { perSecond: times.length / seconds, count: times.length, others, processorMs };
  process.stdout.write(`${JSON.stringify({ ...line, p50: at(0.5), p99: at(0.99), max: at(1) })}\n`);
}

for (let lane = 0; lane < connections; lane++) {
  const socket = connect(port, '127.0.0.1');
  socket.setNoDelay(true);
  let due = 0;
  let rest = '';
  const send = (since) => {
    due = since;
    socket.write(nextRequest());
  };
  const leave = () => {
    socket.destroy();
    if (--open === 0) report();
  };
  const next = () => {
    if (rate === undefined && performance.now() < end) return send(performance.now());
    if (rate !== undefined && overdue.length > 0) return send(overdue.shift());
    if (rate !== undefined && !isOver) return void idle.push({ send, leave });
    return leave();
  };
  socket.setEncoding('latin1').on('data', (piece) => {
    rest += piece;
    const head = rest.indexOf('\r\n\r\n');
    if (head === -1) return;
    const length = Number(/content-length: (\d+)/i.exec(rest.slice(0, head))?.[1] ?? 0);
    if (
      /transfer-encoding: chunked/i.test(rest.slice(0, head))
        ? !rest.endsWith('0\r\n\r\n')
        : rest.length < head + 4 + length
    )
      return;
    const status = rest.slice(9, 12);
    rest = '';
    // Count from the due time: a request that waits for a connection waits for the receiver.
    if (status === '200') times.push(performance.now() - due);
    else others[status] = (others[status] ?? 0) + 1;
    next();
  });
  socket.on('connect', next);
}

if (rate !== undefined) {
  let sent = 0;
  const timer = setInterval(() => {
    const now = performance.now();
    for (
      const dueCount = Math.floor(((Math.min(now, end) - begins) / 1_000) * rate);
      sent < dueCount;
      sent++
    ) {
      const since = begins + (sent / rate) * 1_000;
      const free = idle.shift();
      if (free) free.send(since);
      else overdue.push(since);
    }
    if (now < end || overdue.length > 0) return;
    clearInterval(timer);
    isOver = true;
    for (const { leave } of idle.splice(0)) leave();
  }, 1);
}
