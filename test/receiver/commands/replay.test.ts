// `wm webhook replay`: sends what a listener stored, in order, to real targets, and records what became of it.

import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { storeLastTarget } from '#cli/journal-folder.ts';
import { noon } from '#test/support/clock.ts';
import { handSignals } from '#test/support/program/manual-signals.ts';
import { certificate, key } from '#test/support/service/certificate.ts';
import { listening } from '#test/support/service/listening.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import type { Http } from '#world/world.ts';
import { attempt, dead, failed, received, writtenJournal } from '../archive/deliveries/written-journal.ts';

interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** A moment: they are counted up. */
  readonly began: number;
  ended: number;
}

type Respond = (response: ServerResponse, got: Got) => void;

const accept: Respond = (response) => response.writeHead(204).end();

async function startTarget(context: TestContext, respond: Respond = accept) {
  const got: Got[] = [];
  let moment = 0;
  const server = createServer((request, response) => {
    const entry = { headers: request.headers, body: Buffer.alloc(0), began: moment++, ended: -1 };
    got.push(entry);
    const chunks: Buffer[] = [];
    response.on('close', () => {
      entry.ended = moment++;
    });
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      entry.body = Buffer.concat(chunks);
      respond(response, entry);
    });
  });
  const port = await listening(server);
  context.after(() => {
    server.close();
    server.closeAllConnections();
  });
  return { url: `http://127.0.0.1:${port}/hook`, got, numbers: () => got.map(numberOf) };
}

const numberOf = ({ headers }: Got) => Number(headers['x-wm-delivery']);

/** Five deliveries of two tasks: forwarded, dead, dead, waiting, forwarded. */
async function fiveDeliveries(context: TestContext) {
  const written = await writtenJournal(context);
  const journal = await written.open();
  const types = ['TaskCreated', 'TaskStatusChanged', 'CommentAdded', 'TaskCreated', 'TaskDeleted'];
  for (const [at, type] of types.entries())
    await journal.append(received(type, at % 2 === 0 ? 'A1' : 'A2', { receivedAt: noon + at * 60_000 }));
  journal.record(attempt(1));
  journal.record(attempt(2, dead));
  journal.record(attempt(3, failed));
  journal.record(attempt(3, dead));
  journal.record(attempt(5));
  await journal.close();
  const replayed = async () =>
    (await readFile(join(written.folder, 'replays.ndjson'), 'utf8'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  return {
    ...written,
    replayed,
    replay: (...typed: string[]) => written.wm(['webhook', 'replay', ...typed]),
  };
}

test('one delivery: byte for byte, with its headers, and a recorded outcome', async (context) => {
  const { wm, open, folder } = await writtenJournal(context);
  const journal = await open();
  const body = Uint8Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256);
  const headers = [
    ['Content-Type', 'application/json; charset=utf-8'],
    ['X-Hook-Signature', 'c0ffee'],
    ['Idempotency-Key', 'key-1'],
    ['Host', 'hooks.example.com'],
  ] as const;
  await journal.append(received('', '', { body, headers, idempotencyKey: 'key-1' }));
  journal.record(attempt(1, dead));
  await journal.close();
  const { url, got } = await startTarget(context);
  const { status, output, errors } = await wm(['webhook', 'replay', '1', '--forward-to', url]);
  assert.equal(status, 0, errors);
  const [request] = got;
  assert.ok(request);
  assert.ok(request.body.equals(body));
  assert.equal(request.headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(request.headers['x-hook-signature'], 'c0ffee');
  assert.equal(request.headers['idempotency-key'], 'key-1');
  assert.equal(request.headers['x-wm-replay'], '1');
  assert.equal(request.headers['x-wm-delivery'], '1');
  assert.match(String(request.headers.host), /^127\.0\.0\.1:/);
  assert.match(output, /^1\t\t\thttp:\/\/127\.0\.0\.1:\d+\/hook\t204\t\d+\tforwarded\n$/);
  assert.equal(errors, '1 delivery replayed.\n');
  const line = JSON.parse(await readFile(join(folder, 'replays.ndjson'), 'utf8'));
  assert.deepEqual(
    { ...line, time: 0, milliseconds: 0 },
    { sequence: 1, time: 0, target: url, outcome: '204', milliseconds: 0, verdict: 'forwarded' },
  );
});

test('dead letters: asks, sends them in order, and then none are left', async (context) => {
  const { replay, wm } = await fiveDeliveries(context);
  const { url, numbers } = await startTarget(context);
  const asked = await replay('--dead-letters', '--forward-to', url);
  assert.equal(asked.status, 2);
  assert.match(asked.errors, /Not confirmed: Send 2 deliveries to http:\/\/127\.0\.0\.1:\d+\/hook\?/);
  assert.deepEqual(numbers(), []);
  const { status, errors } = await replay('--dead-letters', '--forward-to', url, '--yes');
  assert.equal(status, 0, errors);
  assert.deepEqual(numbers().toSorted(), [2, 3]);
  assert.equal((await wm(['webhook', 'log', '--dead-letters', '-q'])).output, '');
  const again = await replay('--dead-letters', '--forward-to', url, '--yes');
  assert.equal(again.status, 5);
  assert.match(again.errors, /No dead letter matches/);
});

test('selects by number, range, event, task, date and the last few', async (context) => {
  const { replay } = await fiveDeliveries(context);
  const rows: readonly (readonly [string, readonly number[]])[] = [
    ['--dead-letters --task A2', [2]],
    ['1 5', [1, 5]],
    ['1-3', [1, 2, 3]],
    ['--event TaskCreated', [1]],
    ['--event comment', [3]],
    ['--task A1', [1, 3, 5]],
    ['--last 2', [5]],
    ['--since 2026-01-05T12:01:00Z --until 2026-01-05T12:02:00Z', [2, 3]],
  ];
  for (const [typed, expected] of rows) {
    const { url, numbers } = await startTarget(context);
    const { status, errors } = await replay(...typed.split(' '), '--forward-to', url, '--yes');
    assert.equal(status, 0, `${typed}: ${errors}`);
    assert.deepEqual(
      numbers().toSorted((a, b) => a - b),
      expected,
      typed,
    );
  }
});

test('a delivery that a listener still has to forward: rejected by number, not selected, sent with --force', async (context) => {
  const { replay } = await fiveDeliveries(context);
  const { url, numbers } = await startTarget(context);
  const refused = await replay('4', '--forward-to', url);
  assert.equal(refused.status, 2);
  assert.match(refused.errors, /Not replayed: 4\n.*would arrive twice\n.*--force/);
  const last = await replay('--event', 'TaskCreated', '--forward-to', url);
  assert.equal(last.status, 0);
  assert.match(last.errors, /^Left out: wm webhook listen will still forward 4,/);
  assert.equal((await replay('--task', 'A2', '--event', 'TaskCreated', '--forward-to', url)).status, 2);
  assert.equal((await replay('4', '--force', '--forward-to', url)).status, 0);
  assert.deepEqual(numbers(), [1, 4]);
});

test('a failing target: the others are sent, exit status 8, with the command for the rest', async (context) => {
  const { replay, replayed } = await fiveDeliveries(context);
  const { url } = await startTarget(context, (response, got) =>
    response.writeHead(numberOf(got) === 2 ? 500 : 200).end('no such table'),
  );
  const { status, output, errors } = await replay('1-3', '--forward-to', url, '--yes', '--json');
  assert.equal(status, 8);
  const lines = output
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  assert.deepEqual(lines.map(({ sequence, verdict }) => `${sequence} ${verdict}`).toSorted(), [
    '1 forwarded',
    '2 failed',
    '3 forwarded',
  ]);
  assert.equal(lines.find(({ sequence }) => sequence === 2).detail, 'no such table');
  const { error } = JSON.parse(errors.trimEnd().split('\n').at(-1) ?? '');
  assert.equal(error.message, '2 deliveries replayed, 1 failed');
  assert.equal(error.next, 'wm webhook replay 2');
  assert.equal((await replayed()).length, 3);
});

test('an unreachable target: stops at once, records nothing, exit status 7', async (context) => {
  const { replay, folder } = await fiveDeliveries(context);
  const { status, errors } = await replay('1-3', '--forward-to', 'http://127.0.0.1:1/hook', '--yes');
  assert.equal(status, 7, errors);
  assert.match(errors, /Cannot reach http:\/\/127\.0\.0\.1:1\/hook: .*0 deliveries replayed, 3 not sent/);
  assert.match(errors, /To send the rest, with the flags of this command: wm webhook replay 1-3\n$/);
  assert.equal(await readFile(join(folder, 'replays.ndjson'), 'utf8'), '');
});

test('one at a time for each task, several tasks at once, never more than --concurrency', async (context) => {
  const written = await writtenJournal(context);
  const journal = await written.open();
  const count = 60;
  for (let at = 0; at < count; at++) {
    const { sequence } = await journal.append(received('TaskCreated', `A${at % 5}`));
    journal.record(attempt(sequence));
  }
  await journal.close();
  let atOnce = 0;
  let most = 0;
  const { url, got } = await startTarget(context, (response) => {
    most = Math.max(most, ++atOnce);
    setImmediate(() => {
      atOnce--;
      response.end();
    });
  });
  const { status, errors } = await written.wm([
    ...['webhook', 'replay', `1-${count}`, '--forward-to', url, '--yes', '--concurrency', '3', '-q'],
  ]);
  assert.equal(status, 0, errors);
  assert.equal(got.length, count);
  assert.ok(most <= 3, `${most} at once`);
  for (let task = 0; task < 5; task++) {
    const own = got.filter((request) => numberOf(request) % 5 === (task + 1) % 5);
    assert.equal(own.length, count / 5);
    for (const [at, request] of own.entries()) {
      const next = own[at + 1];
      if (next === undefined) continue;
      assert.ok(numberOf(request) < numberOf(next), 'in order');
      assert.ok(request.ended < next.began, 'one at a time');
    }
  }
});

test('--forward-header, --forward-host, --forward-timeout and --forward-ca', async (context) => {
  const { wm, folder } = await fiveDeliveries(context);
  const got: IncomingHttpHeaders[] = [];
  const target = createSecureServer({ key, cert: certificate }, (request, response) => {
    got.push(request.headers);
    request.resume().on('end', () => response.end());
  });
  context.after(() => target.close());
  const to = `https://127.0.0.1:${await listening(target)}/`;
  const ca = join(folder, 'ca.pem');
  await writeFile(ca, certificate);
  const { http } = createWorld();
  const limits: (number | undefined)[] = [];
  const recorded = (own: Http): Http => ({
    send(request, options) {
      limits.push(options.timeoutMs);
      return own.send(request, options);
    },
    withCertificates: async (text) => recorded((await own.withCertificates?.(text)) ?? own),
  });
  const replay = (...flags: readonly string[]) =>
    wm(['webhook', 'replay', '1', '--forward-to', to, '--yes', ...flags], {
      world: { http: recorded(http) },
    });
  assert.notEqual((await replay()).status, 0);
  assert.equal(got.length, 0);
  limits.length = 0;
  const of = ['--forward-header', 'X-Source: wm', '--forward-host', 'service.test', '--forward-timeout', '7'];
  const ran = await replay('--forward-ca', ca, ...of);
  assert.equal(ran.status, 0, ran.errors);
  assert.deepEqual([got[0]?.host, got[0]?.['x-source']], ['service.test', 'wm']);
  assert.deepEqual(limits, [7_000]);
});

test('routes; and the last targets of listen', async (context) => {
  const { replay, folder } = await fiveDeliveries(context);
  const comments = await startTarget(context);
  const rest = await startTarget(context);
  const missing = await replay('1');
  assert.equal(missing.status, 2);
  assert.match(missing.errors, /Missing: where to send the deliveries\n.*\n {2}Give --forward-to URL/);
  const routed = await replay('1-3', '--route', `comment=${comments.url}`, '--yes');
  assert.equal(routed.status, 0, routed.errors);
  assert.match(routed.errors, /^1 delivery replayed, 2 without a target\.$/m);
  await storeLastTarget(createWorld(), folder, {
    forwardTo: rest.url,
    routes: [{ events: ['CommentAdded'], url: comments.url }],
  });
  assert.equal((await replay('1-3', '--yes')).status, 0);
  assert.deepEqual(comments.numbers(), [3, 3]);
  assert.deepEqual(rest.numbers().toSorted(), [1, 2]);
  await writeFile(join(folder, 'target.json'), '{"forwardTo":7}');
  assert.equal((await replay('1')).status, 2);
});

test('--dry-run lists what would be sent, and sends nothing', async (context) => {
  const { replay } = await fiveDeliveries(context);
  const { url, numbers } = await startTarget(context);
  const { status, output, errors } = await replay('--dead-letters', '--forward-to', url, '--dry-run');
  assert.equal(status, 0);
  assert.deepEqual(
    output
      .trimEnd()
      .split('\n')
      .map((line) => line.split('\t')[0]),
    ['2', '3'],
  );
  assert.equal(errors, `Would be sent to ${url}. Nothing was sent.\n`);
  assert.deepEqual(numbers(), []);
});

test('Ctrl-C: says what was sent, what is unknown and what was not sent, and how to continue', async (context) => {
  const { wm, replayed } = await fiveDeliveries(context);
  const signals = handSignals();
  const { url, numbers } = await startTarget(context, (response, got) => {
    if (numberOf(got) === 1) accept(response, got);
    else signals.interrupt();
  });
  const { status, errors } = await wm(
    ['webhook', 'replay', '1-3', '5', '--forward-to', url, '--yes', '--concurrency', '1'],
    { world: { process: { ...signals.process, self: ['node'] } } },
  );
  assert.equal(status, 130);
  assert.deepEqual(numbers(), [1, 2]);
  assert.match(
    errors,
    /Interrupted: 1 delivery replayed, 1 with an unknown outcome, 2 not sent\n.*: wm webhook replay 2-3 5\n$/,
  );
  assert.deepEqual(
    (await replayed()).map(({ sequence, verdict }) => [sequence, verdict]),
    [
      [1, 'forwarded'],
      [2, 'failed'],
    ],
  );
});

test('usage: nothing selected, unknown numbers, another replay running, a disk that cannot record', async (context) => {
  const { replay, folder } = await fiveDeliveries(context);
  const { url, numbers } = await startTarget(context);
  assert.match((await replay('--forward-to', url)).errors, /Missing: which deliveries to replay/);
  const missing = await replay('1', '7', '--forward-to', url, '--yes');
  assert.equal(missing.status, 5);
  assert.match(missing.errors, /Delivery not found: 7\n {2}nothing was sent/);
  const { lock } = createWorld();
  const held = await lock.acquire(join(folder, 'replays.lock'), { timeoutMs: 0 });
  const second = await replay('1', '--forward-to', url);
  assert.equal(second.status, 1);
  assert.match(second.errors, /Another wm webhook replay is sending/);
  await held?.release();
  await mkdir(join(folder, 'replays.ndjson'));
  assert.equal((await replay('1', '--forward-to', url)).status, 1);
  assert.deepEqual(numbers(), []);
});

/** The real disk, which takes nothing more in this file once so many bytes were written to it. */
function fillingDisk(home: string, name: string, most: number) {
  const real = createFiles({ WM_CONFIG_DIR: home }, process.platform);
  let written = 0;
  return {
    ...real,
    async append(...parameters: Parameters<typeof real.append>) {
      const file = await real.append(...parameters);
      const write: typeof file.write = (content) => {
        if (parameters[0].endsWith(name)) {
          if (written >= most)
            throw Object.assign(new Error(`ENOSPC: no space left on device, write '${parameters[0]}'`), {
              code: 'ENOSPC',
              syscall: 'write',
              path: parameters[0],
            });
          written += content.length;
        }
        file.write(content);
      };
      return Object.assign(Object.create(file), { write });
    },
  };
}

test('a full disk: nothing is sent', async (context) => {
  const { wm, home } = await fiveDeliveries(context);
  const { url, numbers } = await startTarget(context);
  const files = fillingDisk(home, 'trial', 0);
  const { status, errors } = await wm(['webhook', 'replay', '1', '--forward-to', url], { world: { files } });
  assert.equal(status, 1);
  assert.match(
    errors,
    /^wm: Cannot write \S+\n {2}no space is left on the disk \(ENOSPC\)\n {2}Nothing was sent, /,
  );
  assert.deepEqual(numbers(), []);
});

test('a disk that fills up meanwhile: says what was sent without a record, and how to send the rest', async (context) => {
  const { wm, home, replayed } = await fiveDeliveries(context);
  const { url, numbers } = await startTarget(context);
  const files = fillingDisk(home, 'replays.ndjson', 1);
  const typed = ['webhook', 'replay', '1-3', '5', '--forward-to', url, '--yes', '--concurrency', '1'];
  const { status, output, errors } = await wm(typed, { world: { files } });
  assert.equal(status, 1, errors);
  assert.deepEqual(numbers(), [1, 2]);
  assert.deepEqual(
    (await replayed()).map(({ sequence }) => sequence),
    [1],
  );
  assert.deepEqual(
    output.split('\n').map((line) => line.replace(/\t.*\t/, ' ')),
    ['1 forwarded', '2 forwarded', ''],
  );
  assert.match(
    errors,
    /^wm: #?2 was sent, but could not be recorded; 2 deliveries replayed, 2 not sent\n {2}Cannot write \S+replays\.ndjson: no space is left on the disk \(ENOSPC\)\n {2}The outcome is only in the lines above: .*\n {2}To send the rest, .*: wm webhook replay 3 5$/m,
  );
});
