// The streams of the page under load, with a page that does not read, on a clock that the test moves.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import { type TestContext, test } from 'node:test';
import { createUpdateStreams } from '#receiver/page/update-streams.ts';
import { createTestClock } from '#test/support/clock.ts';
import { listening } from '#test/support/service/listening.ts';
import { Html } from '#web/html-template.ts';

/** `padding`: the length of the text that stands in place of each row. */
async function staged(t: TestContext, padding = 0) {
  const clock = createTestClock();
  const described: (ReadonlySet<number> | 'all')[] = [];
  let bytes = 0;
  const streams = createUpdateStreams({ clock }, (changed) => {
    described.push(changed === 'all' ? changed : new Set(changed));
    bytes += padding;
    return new Html('x'.repeat(padding));
  });
  const opened: boolean[] = [];
  const responses: ServerResponse[] = [];
  const server = createServer((_, response) => {
    const isOpen = streams.open(response);
    opened.push(isOpen);
    responses.push(response);
    if (!isOpen) response.writeHead(503).end();
  });
  const port = await listening(server);
  t.after(() => {
    streams.close();
    server.close();
    server.closeAllConnections();
  });
  const connect = async (): Promise<IncomingMessage> => {
    const asked = request({ port, host: '127.0.0.1', agent: false }).end();
    const [response] = await once(asked, 'response');
    return response;
  };
  /** What the system buffers, it takes; then the server describes nothing any more. */
  const untilFull = async (change: () => void) => {
    for (let before = -1; before !== described.length; ) {
      before = described.length;
      for (let count = 0; count < 50; count++) {
        change();
        clock.advance(100);
        await new Promise((resolve) => setImmediate(resolve));
      }
    }
  };
  return { clock, streams, described, opened, responses, connect, untilFull, bytes: () => bytes };
}

test('changes within a tenth of a second are one message, however many', async (t) => {
  const { clock, streams, described, connect } = await staged(t);
  const response = await connect();
  response.resume();
  assert.deepEqual(described, ['all']);
  for (let count = 0; count < 1000; count++) streams.changed(1 + (count % 3));
  streams.changed(undefined);
  assert.equal(described.length, 1);
  clock.advance(100);
  assert.deepEqual(described.slice(1), [new Set([1, 2, 3])]);
  clock.advance(1000);
  assert.equal(described.length, 2, 'nothing more to say');
  for (let sequence = 1; sequence <= 501; sequence++) streams.changed(sequence);
  streams.changed(502);
  clock.advance(100);
  assert.equal(described.at(-1), 'all', 'more than the page shows: the numbers are not collected');
});

test('without changes, a heartbeat every 15 seconds moves the chart along', async (t) => {
  const { clock, described, connect } = await staged(t);
  (await connect()).resume();
  clock.advance(60_000);
  assert.deepEqual(described.slice(1), [new Set(), new Set(), new Set(), new Set()]);
});

test('describes nothing while no page is open', async (t) => {
  const { clock, streams, described } = await staged(t);
  streams.changed(1);
  clock.advance(60_000);
  assert.deepEqual(described, []);
  assert.deepEqual(clock.waits, []);
});

test('a page that stops reading gets nothing more, and is dropped after 30 seconds', async (t) => {
  const { clock, streams, described, connect, untilFull, bytes, responses } = await staged(t, 1024 * 1024);
  const slow = await connect();
  slow.on('error', () => undefined).pause();
  let rounds = 0;
  await untilFull(() => streams.changed(1 + (rounds++ % 400)));
  const held = bytes();
  t.diagnostic(`${rounds} rounds of 1 MiB, ${described.length} of them sent`);
  assert.ok(held < rounds * 1024 * 1024);
  // The limit runs since the first message that could not be sent: for at most ten seconds so far.
  clock.advance(19_000);
  assert.equal(bytes(), held);
  assert.equal(responses[0]?.destroyed, false);
  clock.advance(11_000);
  assert.equal(responses[0]?.destroyed, true);
  const before = described.length;
  streams.changed(1);
  clock.advance(60_000);
  assert.equal(described.length, before, 'nobody is left to describe it for');
});

test('a page that reads again in time gets the latest changes', async (t) => {
  const { clock, streams, described, responses, connect, untilFull } = await staged(t, 1024 * 1024);
  const slow = await connect();
  slow.pause();
  await untilFull(() => streams.changed(7));
  streams.changed(8);
  clock.advance(100);
  const before = described.length;
  let text = '';
  const arrived = new Promise<void>((resolve) => {
    slow.setEncoding('latin1').on('data', (part: string) => {
      text = (text + part).slice(-100);
      if (described.length > before) resolve();
    });
  });
  slow.resume();
  await arrived;
  assert.deepEqual(described[before], new Set([7, 8]));
  // It has read everything: the limit is gone. (The heartbeats are more than fits again.)
  clock.advance(30_000);
  assert.equal(responses[0]?.destroyed, false);
});

test('twenty pages may be open; one more is rejected, and closing one makes room', async (t) => {
  const { opened, connect } = await staged(t);
  const pages: IncomingMessage[] = [];
  for (let count = 0; count < 20; count++) {
    const page = await connect();
    page.resume();
    pages.push(page);
  }
  assert.ok(opened.every(Boolean));
  assert.equal((await connect()).statusCode, 503);
  pages[0]?.destroy();
  // The server notices when the connection has closed.
  for (let status = 503; status === 503; ) {
    const page = await connect();
    page.resume();
    status = page.statusCode ?? 0;
    assert.ok(opened.length < 1000);
  }
});
