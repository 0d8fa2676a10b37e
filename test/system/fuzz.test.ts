// 100,000 random requests, the same for the same seed: no 500, no crash, every answer well-formed, and a heap that is as
// large after the last thousands as after the first. The emulator runs in a process of its own, under --expose-gc.

import assert from 'node:assert/strict';
import { fork } from 'node:child_process';
import { Agent, createServer, request as send } from 'node:http';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { startEmulator } from '#emulator/emulator.ts';
import { createRandom, type Random } from '#test/support/random.ts';
import { listening } from '#test/support/service/listening.ts';
import { createClock } from '#world/clock.ts';
import { createHttp } from '#world/http.ts';
import { randomBytes } from '#world/random.ts';
import { createServer as createWorldServer } from '#world/server.ts';
import {
  apiRequest,
  controlRequest,
  type FuzzRequest,
  type Memory,
  oauthRequest,
  type Place,
} from '../fuzz/request.ts';

const requests = 100_000;
/** After each so many, the sample comes back and the heap is measured. */
const round = 5_000;
const atOnce = 16;
const seed = 20_260_502;
/** A clock that advances waits for all deliveries, and they may keep coming on busy cores. */
const limitMs = 120_000;

interface Ready extends Place {
  readonly host: string;
}

if (process.argv[2] === 'serve') await serve();
else test('100,000 random requests bring no 500, no crash, no growing memory', { timeout: 600_000 }, fuzz);

/** In the child: an emulator, and its heap on demand. */
async function serve(): Promise<void> {
  const logged: string[] = [];
  const world = { server: createWorldServer(), http: createHttp({}), clock: createClock(), randomBytes };
  const emulator = await startEmulator(world, {
    allowLocalHooks: true,
    deliveryTimeoutMs: 2_000,
    fixedTokens: true,
    log: (line) => logged.push(line),
  });
  assert.ok(!('fault' in emulator));
  process.on('message', () => {
    globalThis.gc?.();
    globalThis.gc?.();
    process.send?.({ heap: process.memoryUsage().heapUsed, logged });
  });
  const { host, token, clientId, clientSecret } = emulator;
  process.send?.({ host, token, clientId, clientSecret });
}

async function fuzz(t: TestContext): Promise<void> {
  const receiver = createServer((incoming, outgoing) => {
    incoming.resume().on('end', () => {
      // One path is good, one always fails, one is gone for good.
      outgoing.statusCode =
        [200, 200, 204, 500, 410, 302, 429, 200, 200][Number(incoming.url?.slice(1))] ?? 200;
      outgoing.end();
    });
  });
  const receiverPort = await listening(receiver);
  t.after(() => {
    receiver.close();
    receiver.closeAllConnections();
  });
  const child = fork(fileURLToPath(import.meta.url), ['serve'], { execArgv: ['--expose-gc'] });
  t.after(() => child.kill('SIGKILL'));
  const message = <T>() => new Promise<T>((done) => child.once('message', (got: T) => done(got)));
  const ready = await message<Omit<Ready, 'receiverPort'>>();
  const place: Ready = { ...ready, receiverPort };
  let exited = false;
  child.on('exit', () => {
    exited = true;
  });

  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  t.after(() => agent.destroy());
  const random = createRandom(seed);
  const memory: Memory = { ids: [], tokens: [], refreshTokens: [], tickets: [], codes: [] };
  const statuses = new Map<number, number>();
  const heaps: number[] = [];

  for (let done = 0; done < requests; done += round) {
    let left = round;
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        while (left-- > 0) {
          const request = next(random, memory, place);
          const status = await exchange(agent, place.host, request, memory);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      }),
    );
    const post = (path: string, method = 'POST') =>
      exchange(agent, place.host, { method, path: `/_emulator${path}`, headers: {} }, memory);
    assert.equal(await post('/reset'), 200);
    assert.equal(await post('/deliveries?settled=true', 'GET'), 200);
    for (const list of Object.values(memory)) list.length = 0;
    const measured = message<{ heap: number; logged: string[] }>();
    child.send('measure');
    const { heap, logged } = await measured;
    // What it says of ignored parameters and of requests that it does not have is as it should be.
    assert.deepEqual(
      logged.filter((line) => !/ignored|wm emulator stub|unknown requests/.test(line)),
      [],
    );
    heaps.push(heap);
  }
  assert.equal(exited, false);
  const megabytes = heaps.map((one) => Number((one / 1_048_576).toFixed(1)));
  const counted = [...statuses].toSorted(([a], [b]) => a - b).map(([status, count]) => `${status}: ${count}`);
  t.diagnostic(`seed ${seed}; answers ${counted.join(', ')}`);
  t.diagnostic(`heap after each ${round} requests, MB: ${megabytes.join(' ')}`);
  // Much of what was asked for was done, or little would have been tried.
  assert.ok((statuses.get(200) ?? 0) > requests / 5);
  // The first two rounds fill caches and compile.
  const early = Math.max(...megabytes.slice(2, 6));
  const late = Math.min(...megabytes.slice(-4));
  assert.ok(late < early * 1.1 + 1, `the heap grew: ${megabytes.join(' ')}`);
}

function next(random: Random, memory: Memory, place: Place): FuzzRequest {
  const kind = random.below(20);
  if (kind < 3) return oauthRequest(random, memory, place);
  if (kind === 3) return controlRequest(random, memory);
  return apiRequest(random, memory, place);
}

/** Sends it, holds the answer to what every answer must be, and keeps what later requests can use. Gives the status. */
function exchange(agent: Agent, host: string, request: FuzzRequest, memory: Memory): Promise<number> {
  const [hostname, port] = host.split(':');
  const { method, path, body } = request;
  // Node's client says it of itself for some methods only.
  const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
  const headers = { ...request.headers, ...length };
  const what = `${method} ${path.slice(0, 300)} ${String(body ?? '').slice(0, 300)}`;
  return new Promise((resolve, reject) => {
    const sent = send({ agent, hostname, port, method, path, headers, timeout: limitMs }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (piece: string) => {
        text += piece;
      });
      response.on('error', reject).on('end', () => {
        const status = response.statusCode ?? 0;
        try {
          assert.ok(status >= 200 && status < 500, `${status} for ${what}: ${text.slice(0, 300)}`);
          // The bytes of a file are as they were sent.
          const isFile = response.headers['content-disposition'] !== undefined;
          if (path.startsWith('/api/v4/') && !isFile) checkShape(method, status, text, what);
          remember(memory, text, response.headers.location);
          resolve(status);
        } catch (error) {
          reject(error);
        }
      });
    });
    sent.on('timeout', () => sent.destroy(new Error(`no answer in ${limitMs / 1_000} s: ${what}`)));
    sent.on('error', (error) => reject(new Error(`${what}: ${error.message}`, { cause: error })));
    sent.end(body);
  });
}

function checkShape(method: string, status: number, text: string, what: string): void {
  if (method === 'HEAD' || status === 204) {
    assert.equal(text, '', what);
    return;
  }
  assert.ok(text.startsWith('{'), `${status} ${text}: ${what}`);
  const answer: Record<string, unknown> = JSON.parse(text);
  if (status === 200) {
    assert.equal(typeof answer['kind'], 'string', what);
    assert.ok(Array.isArray(answer['data']), what);
  } else {
    const names = Object.keys(answer).filter((name) => name !== 'state');
    assert.deepEqual(names.toSorted(), ['error', 'errorDescription'], what);
    assert.equal(typeof answer['errorDescription'], 'string', what);
  }
}

function remember(memory: Memory, text: string, location: string | undefined): void {
  const keep = (list: string[], pattern: RegExp, from: string) => {
    const found = pattern.exec(from)?.[1];
    if (found === undefined) return;
    list.push(found);
    if (list.length > 100) list.shift();
  };
  const head = text.slice(0, 4_000);
  keep(memory.ids, /"id":"([^"]+)"/, head);
  keep(memory.tokens, /"(?:access_token|token)":"([^"]+)"/, head);
  keep(memory.refreshTokens, /"refresh_token":"([^"]+)"/, head);
  keep(memory.tickets, /name="ticket" value="([^"]+)"/, head);
  if (location !== undefined) keep(memory.codes, /[?&]code=([^&]+)/, location);
}
