// The server of the page: who gets anything of it, and what.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type LoggedDelivery, toLoggedDelivery } from '#receiver/archive/deliveries/logged-delivery.ts';
import type { SendAgain } from '#receiver/page/page-replay.ts';
import { noon } from '#test/support/clock.ts';
import { checkpoint } from '#test/support/gate.ts';
import { bodyOf, idleJournal, sampleDelivery, sampleTarget as target } from '../core/intake/samples.ts';
import { drivePage, eventBody, replayed } from './driven-page.ts';
import { countersIn, firstUpdate, next, rowsIn, tableIn, textIn, updates } from './page-html.ts';
import { ask, open, type PageResponse, post } from './page-request.ts';

const origin = (url: string) => new URL(url).origin;
const port = (url: string) => new URL(url).port;

test('the address is on loopback, and its token is 256 random bits', async (t) => {
  const [first, second] = [await drivePage(t), await drivePage(t)];
  const path = /^http:\/\/127\.0\.0\.1:\d+\/([A-Za-z0-9_-]{43})\/$/;
  assert.match(first.url, path);
  assert.notEqual(path.exec(first.url)?.[1], path.exec(second.url)?.[1]);
});

test('the page runs only its own script, loads nothing, and is neither stored nor framed', async (t) => {
  const page = await drivePage(t);
  const { status, headers, text } = await ask(page.url);
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  const policy = String(headers['content-security-policy']).split('; ');
  assert.deepEqual(
    policy.map((rule) => rule.replace(/'sha256-[A-Za-z0-9+/]{43}='/, 'HASH')),
    [
      "default-src 'none'",
      'style-src HASH',
      'img-src data:',
      'script-src HASH',
      "connect-src 'self'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "base-uri 'none'",
      "require-trusted-types-for 'script'",
      'trusted-types own-html',
    ],
  );
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers['referrer-policy'], 'no-referrer');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['x-frame-options'], 'DENY');
  assert.equal(headers['cross-origin-resource-policy'], 'same-origin');
  assert.equal(headers['cross-origin-opener-policy'], 'same-origin');
  assert.doesNotMatch(text, /(?:src|href)="(?!data:)/, 'nothing from elsewhere');
  assert.ok(Buffer.byteLength(text) < 20_000, `${Buffer.byteLength(text)} bytes`);
});

const everything = ['', 'events', 'deliveries?before=9', 'deliveries/1', 'deliveries/1/body'];

test('without the token, or with another Host, the server does not reveal the page', async (t) => {
  const page = await drivePage(t);
  page.receive();
  const root = `${origin(page.url)}/`;
  const token = new URL(page.url).pathname.split('/')[1] ?? '';
  const nothing = await ask(root);
  assert.equal(nothing.status, 404);
  assert.equal(nothing.text, 'Not found.\n');
  const strip = ({ headers: { date: _, ...headers }, ...response }: PageResponse) => ({
    ...response,
    headers,
  });
  let count = 0;
  const isNothing = async (url: string, headers: Record<string, string> = {}, method = 'GET') => {
    count++;
    const response = await ask(url, { headers, method });
    assert.deepEqual(strip(response), strip(nothing), `${url} ${JSON.stringify(headers)}`);
  };
  const near = [token.slice(1), `${token}A`, token.toLowerCase(), encodeURIComponent(`${token}/`)];
  const evil = ['evil.example', `evil.example:${port(page.url)}`];
  for (const path of everything) {
    for (const wrong of [...near, `/${token}`, 'x', '']) await isNothing(`${root}${wrong}/${path}`);
    await isNothing(`${root}${token}x/${path}`, {}, 'POST');
    for (const host of [...evil, '127.0.0.1', '127.0.0.1:1', 'localhost', '10.0.0.1'])
      await isNothing(`${page.url}${path}`, { Host: host });
  }
  const foreign = { Host: 'evil.example', Origin: 'http://evil.example' };
  await isNothing(`${page.url}deliveries/1/replay`, foreign, 'POST');
  t.diagnostic(`${count} requests`);
});

test('accepts the other names of this machine, with the right port', async (t) => {
  const page = await drivePage(t);
  for (const name of ['127.0.0.1', 'localhost', 'LocalHost', '[::1]']) {
    const { status } = await ask(page.url, { headers: { Host: `${name}:${port(page.url)}` } });
    assert.equal(status, 200, name);
  }
});

test('a page of another origin gets nothing, even with the token', async (t) => {
  const asked: number[] = [];
  const page = await drivePage(t, {
    replay: async ({ sequence }) => {
      asked.push(sequence);
      return { replays: [] };
    },
  });
  page.receive();
  page.attempt(1);
  const own = origin(page.url);
  const replay = `${page.url}deliveries/1/replay`;
  const strangers: readonly Record<string, string>[] = [
    { Origin: 'http://evil.example' },
    { Origin: 'null' },
    { Origin: 'http://127.0.0.1:1' },
    { Origin: own.replace('http', 'https') },
    { 'Sec-Fetch-Site': 'cross-site' },
    { 'Sec-Fetch-Site': 'same-site' },
    { Origin: own, 'Sec-Fetch-Site': 'cross-site' },
  ];
  for (const headers of strangers)
    for (const path of everything) {
      const { status } = await ask(`${page.url}${path}`, { headers });
      assert.equal(status, 403, `${path} ${JSON.stringify(headers)}`);
    }
  const typed = { 'Sec-Fetch-Site': 'none' };
  // What a browser sends with every POST is missing; and a typed address can never be one.
  for (const headers of [...strangers, {}, { Origin: own, ...typed }])
    assert.equal((await ask(replay, { method: 'POST', headers })).status, 403);
  // An address that was typed shows the page, and nothing else.
  assert.equal((await ask(page.url, { headers: typed })).status, 200);
  assert.equal((await ask(`${page.url}deliveries/1`, { headers: typed })).status, 403);
  assert.deepEqual(asked, []);

  const good = { Origin: own, 'Sec-Fetch-Site': 'same-origin' };
  assert.equal((await ask(replay, { method: 'POST', headers: good })).status, 200);
  assert.deepEqual(asked, [1]);
});

test('every path has one method, and other paths do not exist', async (t) => {
  const page = await drivePage(t);
  page.receive();
  const headers = { Origin: origin(page.url) };
  for (const path of everything) {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS', 'HEAD']) {
      const response = await ask(`${page.url}${path}`, { method, headers });
      assert.equal(response.status, 405, `${method} ${path}`);
      assert.equal(response.headers['allow'], 'GET');
      assert.equal(response.headers['access-control-allow-origin'], undefined);
    }
  }
  const replay = await ask(`${page.url}deliveries/1/replay`, { headers });
  assert.deepEqual([replay.status, replay.headers['allow']], [405, 'POST']);
  const unknown = ['x', 'deliveries', 'deliveries/', 'deliveries/x', 'deliveries/1/x', 'deliveries?before='];
  for (const path of [...unknown, '../', 'events?x'])
    assert.equal((await ask(`${page.url}${path}`)).status, 404, path);
});

test('the stream: everything first, then only the changes', async (t) => {
  const page = await drivePage(t, { titleOf: (id) => (id === 'T1' ? 'Order paper' : undefined) });
  page.receive({ body: eventBody('TaskCreated', 'T1') });
  const stream = updates(page.url);
  const first = await next(stream);
  assert.match(first, /<tbody data-limit="500">/, 'all rows');
  const [{ time: _, ...row } = { time: '' }] = rowsIn(first);
  const shown = { sequence: 1, event: 'TaskCreated', task: 'Order paper', signature: 'valid' };
  assert.deepEqual(row, { ...shown, state: 'waiting', duplicates: '', result: 'waiting' });
  page.attempt(1, { outcome: '502', verdict: 'retry', finishes: false });
  page.onActivity({ kind: 'duplicate', sequence: 1, time: noon });
  page.onActivity({ kind: 'rejected', time: noon, reason: 'bad-signature', status: 503 });
  page.fault = 'no space left on device';
  page.onActivity({ kind: 'target', target, fault: 'connection refused' });
  const second = await next(stream);
  assert.doesNotMatch(second, /data-limit/);
  assert.deepEqual(
    rowsIn(second).map(({ sequence, state, result, duplicates }) => [sequence, state, result, duplicates]),
    [[1, 'retrying', 'retrying, 502 12 ms', '×1']],
  );
  assert.deepEqual(countersIn(second), {
    Received: 1,
    Forwarded: 0,
    Unfinished: 2,
    'Failed attempts': 1,
    'Dead letters': 0,
    Rejected: 1,
  });
  assert.match(second, /<dd class="bad">1<small> 1 with a bad signature/);
  assert.equal(
    textIn(second, 'problems'),
    `Deliveries cannot be stored: no space left on device. The service gets 503 and sends each of them again later.\n${target} cannot be reached; its deliveries wait: connection refused`,
  );
  assert.match(textIn(second, 'chart-text'), /: 1 delivery, 2 failures\./);
  page.fault = undefined;
  page.onActivity({ kind: 'target', target, fault: undefined });
  page.attempt(1, { attempt: 2, verdict: 'dead', outcome: '500' });
  const third = await next(stream);
  assert.equal(textIn(third, 'problems'), '');
  assert.deepEqual(
    rowsIn(third).map(({ state }) => state),
    ['dead'],
  );
  assert.equal(countersIn(third)['Dead letters'], 1);
  await stream.return(undefined);
});

test('details: headers, path, attempts with the responses of the target, and the body as text', async (t) => {
  const page = await drivePage(t);
  const tasks = ['T1', 'T2'].map((taskId) => ({ eventType: 'TaskCreated', taskId }));
  page.receive({
    body: bodyOf(tasks),
    headers: [
      ['X-A', '1'],
      ['x-a', '2'],
    ],
    path: '/hook?x=1',
  });
  page.attempt(1, { outcome: '502', verdict: 'retry', finishes: false, detail: 'Bad gateway' });
  page.attempt(1, { attempt: 2, time: noon + 2000 });
  const { status, headers, text } = await ask(`${page.url}deliveries/1`);
  assert.equal(status, 200);
  assert.equal(headers['content-type'], 'text/html; charset=utf-8');
  assert.match(text, /<dt>Path<\/dt><dd>\/hook\?x=1<\/dd>/);
  assert.deepEqual(tableIn(text, 'Headers'), [
    ['X-A', '1'],
    ['x-a', '2'],
  ]);
  assert.match(text, /<dt>Task<\/dt><dd>T1, T2<\/dd>/);
  assert.deepEqual(JSON.parse(textIn(text, 'body')), tasks);
  assert.deepEqual(
    tableIn(text, 'Attempts').map(([, ...cells]) => cells),
    [
      [target, '502 failed, tried again, 12 msBad gateway'],
      [target, '200 forwarded, 12 ms'],
    ],
  );
  const missing = await ask(`${page.url}deliveries/2`);
  assert.equal(missing.status, 404);
  assert.match(missing.text, /not found/);
});

test('a body is cut after 256 KiB on the page, and downloads whole, as bytes that no browser shows', async (t) => {
  const page = await drivePage(t);
  const long = new TextEncoder().encode(`["${'é'.repeat(200_000)}"]`);
  page.receive({ body: long });
  page.receive({ body: new Uint8Array([0x7b, 0xff, 0x7d]) });
  const shown = (await ask(`${page.url}deliveries/1`)).text;
  assert.equal(
    textIn(shown, 'body-note'),
    'Only the beginning is shown.',
    'a character that is cut in two is not damage',
  );
  assert.equal(textIn(shown, 'body'), `["${'é'.repeat((256 * 1024 - 2) / 2)}`);
  const binary = (await ask(`${page.url}deliveries/2`)).text;
  assert.equal(textIn(binary, 'body'), '{\ufffd}');
  assert.match(textIn(binary, 'body-note'), /^It is not UTF-8; .* It is not JSON\.$/);

  const response = await open(`${page.url}deliveries/1/body`);
  const parts: Buffer[] = [];
  for await (const part of response) parts.push(part);
  assert.deepEqual(new Uint8Array(Buffer.concat(parts)), long);
  assert.equal(response.headers['content-type'], 'application/octet-stream');
  assert.equal(response.headers['content-length'], String(long.length));
  assert.equal(response.headers['content-disposition'], 'attachment; filename="delivery-1.json"');
  assert.equal(response.headers['x-content-type-options'], 'nosniff');
  assert.equal((await ask(`${page.url}deliveries/3/body`)).status, 404);
});

const known = (sequence: number): LoggedDelivery =>
  toLoggedDelivery(sampleDelivery({ sequence, body: eventBody(), signature: 'unsigned' }));

test('deliveries of earlier runs are shown from the start, and older ones on request', async (t) => {
  const asked: (readonly [number, number])[] = [];
  const page = await drivePage(t, {
    older: async (before, limit) => {
      asked.push([before, limit]);
      const end = Math.min(before, 1001);
      return Array.from({ length: Math.min(limit, end - 1) }, (_, at) =>
        known(end - Math.min(limit, end - 1) + at),
      );
    },
  });
  assert.deepEqual(asked, [[Number.POSITIVE_INFINITY, 500]]);
  const first = await firstUpdate(page.url);
  const rows = rowsIn(first);
  assert.deepEqual([rows.length, rows[0]?.sequence, rows.at(-1)?.sequence], [500, 501, 1000]);
  assert.equal(countersIn(first)['Received'], 0, 'not in this run');

  for (const [before, count, oldest, note] of [
    [501, 100, 401, ''],
    [31, 30, 1, 'There are no older deliveries.'],
  ] as const) {
    const { text } = await ask(`${page.url}deliveries?before=${before}`);
    assert.deepEqual([rowsIn(text).length, rowsIn(text)[0]?.sequence], [count, oldest]);
    assert.equal(textIn(text, 'older-state'), note);
  }

  // One that is not among the last: what is known of it comes from the journal.
  page.receive({ sequence: 77 });
  for (let sequence = 1001; sequence <= 1500; sequence++) page.receive({ sequence });
  assert.match((await ask(`${page.url}deliveries/77`)).text, /not checked: unsigned webhooks are accepted/);
  assert.deepEqual(asked.at(-1), [78, 1]);
  // The journal has the bytes and knows nothing else of it: dropped meanwhile.
  page.stored.set(5000, { ...page.receive({ sequence: 5000 }) });
  for (let sequence = 1501; sequence <= 2000; sequence++) page.receive({ sequence });
  assert.equal((await ask(`${page.url}deliveries/5000`)).status, 404);
});

test('cuts long and hostile names, also in a long body', async (t) => {
  const page = await drivePage(t);
  page.receive({ body: eventBody('E'.repeat(1000), 'T'.repeat(1000)) });
  page.receive({ body: eventBody('TaskCreated', 'T'.repeat(300_000)) });
  page.onActivity({ kind: 'storage', fault: 'full' });
  page.onActivity({ kind: 'handshake', time: noon });
  assert.deepEqual(
    rowsIn(await firstUpdate(page.url)).map(({ event, task }) => [event, task]),
    [
      [`${'E'.repeat(200)}…`, `${'T'.repeat(200)}…`],
      ['TaskCreated', `${'T'.repeat(200)}…`],
    ],
  );
});

test('an attempt at a delivery that is no longer shown changes only the counters', async (t) => {
  const page = await drivePage(t);
  for (let count = 0; count <= 500; count++) page.receive();
  page.attempt(1);
  page.onActivity({ kind: 'duplicate', sequence: 1, time: noon });
  const first = await firstUpdate(page.url);
  assert.deepEqual([rowsIn(first).length, rowsIn(first)[0]?.sequence], [500, 2]);
  assert.equal(countersIn(first)['Forwarded'], 1);
});

test('retry now: only a POST from the page itself, and not for a sink', async (t) => {
  let retried = 0;
  const retryNow = () => {
    retried += 1;
    return 'Retrying 2 deliveries now, in order.';
  };
  const page = await drivePage(t, { retryNow });
  const url = `${page.url}retry`;
  assert.equal((await ask(url)).status, 405);
  assert.equal((await ask(url, { method: 'POST' })).status, 403);
  assert.equal(retried, 0);
  const { status, text } = await post(url);
  assert.deepEqual(
    [status, text, retried],
    [200, '<span id="retry-state">Retrying 2 deliveries now, in order.</span>', 1],
  );
  const other = await drivePage(t);
  assert.equal((await post(`${other.url}retry`)).status, 404);
});

test('replay: the result in the response, in the attempts and in the state', async (t) => {
  const page = await drivePage(t, {
    replay: async ({ sequence }) => ({
      replays: [
        { ...replayed(sequence), time: noon + 5000, outcome: '204', milliseconds: 7, detail: 'done' },
      ],
      problem: 'none of the targets takes its events',
    }),
  });
  page.receive();
  page.attempt(1, { verdict: 'dead', outcome: '500' });
  const stream = updates(page.url);
  assert.equal(rowsIn(await next(stream))[0]?.state, 'dead');
  const response = await post(`${page.url}deliveries/1/replay`);
  assert.match(response.text, />forwarded, 204<\/span> in 7 ms by http/);
  assert.match(response.text, />Not replayed: none of the targets takes its events</);
  assert.deepEqual(
    rowsIn(await next(stream)).map(({ state, result }) => [state, result]),
    [['replayed', 'replayed, 204 7 ms']],
  );
  const attempts = tableIn((await ask(`${page.url}deliveries/1`)).text, 'Attempts');
  assert.deepEqual(attempts.at(-1)?.slice(1), [`${target} (replay)`, '204 forwarded, 7 msdone']);
  assert.equal((await post(`${page.url}deliveries/2/replay`)).status, 404);
  await stream.return(undefined);
});

test('a delivery still to be forwarded is not replayed: it would arrive twice', async (t) => {
  const page = await drivePage(t, { replay: async () => assert.fail() });
  page.receive();
  for (let attempt = 1; attempt <= 2; attempt++) {
    const { status, text } = await post(`${page.url}deliveries/1/replay`);
    assert.equal(status, 409);
    assert.match(text, /arrive twice/);
    page.attempt(1, { verdict: 'retry', outcome: '500', finishes: false, attempt });
  }
});

test('a second request for a replay in flight gets the result of the first', async (t) => {
  let finish: (result: Awaited<ReturnType<SendAgain>>) => void = () => {};
  let sent = 0;
  const gate = checkpoint();
  let reads = 0;
  const page = await drivePage(t, {
    replay: () => {
      sent++;
      return new Promise((resolve) => {
        finish = resolve;
      });
    },
    journal: {
      read: async (sequence) => {
        if (++reads === 2) gate.reach();
        return page.stored.get(sequence);
      },
      state: () => idleJournal,
    },
  });
  page.receive();
  page.attempt(1);
  const both = [post(`${page.url}deliveries/1/replay`), post(`${page.url}deliveries/1/replay`)];
  await gate.reached;
  await new Promise((resolve) => setImmediate(resolve));
  finish({ replays: [replayed(1)] });
  const [first, second] = await Promise.all(both);
  assert.equal(sent, 1);
  assert.equal(first?.text, second?.text);
});

test('an unreadable journal is an error on the page, and the page continues', async (t) => {
  const page = await drivePage(t, {
    older: async (before) => {
      if (before < 100) throw new Error('EIO: i/o error');
      return [];
    },
  });
  const failed = await ask(`${page.url}deliveries?before=9`);
  assert.equal(failed.status, 500);
  assert.match(failed.text, /i\/o error/);
  assert.equal((await ask(page.url)).status, 200);
});

test('closing ends the streams and the running replays', async (t) => {
  let signal: AbortSignal | undefined;
  const sending = checkpoint();
  const page = await drivePage(t, {
    replay: (_, __, replaySignal) => {
      signal = replaySignal;
      sending.reach();
      return new Promise(() => {});
    },
  });
  page.receive();
  page.attempt(1);
  const stream = updates(page.url);
  await next(stream);
  const replay = post(`${page.url}deliveries/1/replay`);
  replay.catch(() => undefined);
  await sending.reached;
  await page.close();
  assert.equal(signal?.aborted, true);
  await assert.rejects(stream.next());
  await assert.rejects(replay);
});
