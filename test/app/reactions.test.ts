// docs/decisions/failures.md says what each kind of command does about a failure. Here each command meets each fault of a connection,
// and statuses that stand for codes, and does what the page says.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { faultMeanings } from '#client/request-failure.ts';
import { sample } from '#emulator/state/sample-ids.ts';
import { createHttpTarget } from '#receiver/core/forwarding/http-target.ts';
import { sampleDelivery } from '#test/receiver/core/intake/samples.ts';
import { events, opened, startPlace, webhooks } from '#test/receiver/way-in/opened.ts';
import { createTestClock } from '#test/support/clock.ts';
import { readFailureTables } from '#test/support/failure-tables.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { watched } from '#test/support/program/watched.ts';
import { createWorld } from '#world/create-world.ts';
import type { Clock, Http, HttpFault, HttpResponse } from '#world/world.ts';

const { codes, faults } = await readFailureTables();
const real = createWorld().http;

const unsent = (fault: HttpFault['fault'], more: Partial<HttpFault> = {}): HttpFault => ({
  fault,
  sent: false,
  detail: 'the test says so',
  ...more,
});
/** By the first cell of its row. */
const cases: Readonly<Record<string, HttpFault>> = {
  '`connection-refused`': unsent('connection-refused'),
  '`unreachable`: no such name, no route': unsent('unreachable'),
  '`timeout`': unsent('timeout'),
  '`reset`': unsent('reset'),
  '`tls`': unsent('tls'),
  '`tls`: closed during the handshake': unsent('tls', { mayPass: true }),
  '`proxy`': unsent('proxy'),
  '`proxy`: a 4xx, or an invalid address': unsent('proxy', { mayPass: false }),
  '`address-not-allowed`': unsent('address-not-allowed'),
  '`malformed`: not HTTP': unsent('malformed'),
};

test('the page lists each fault of a request that was not sent', () => {
  assert.deepEqual([...faults.keys()], Object.keys(cases));
  // A response is too large only after the request was sent, and only the user aborts one.
  assert.deepEqual(
    [...new Set(Object.values(cases).map(({ fault }) => fault)), 'too-large', 'aborted'].toSorted(),
    Object.keys(faultMeanings).toSorted(),
  );
});

/** What is sent to the service gets the outcome in place of a response, while there is one. */
function failing(outcome: () => HttpFault | HttpResponse | undefined) {
  let requests = 0;
  const http: Http = {
    send(request, options) {
      const scripted = outcome();
      if (scripted) requests++;
      return scripted ? Promise.resolve(scripted) : real.send(request, options);
    },
  };
  return { http, requests: () => requests };
}

/** Every wait is over at once. */
function sleepless(): Clock {
  const clock = createTestClock();
  return { ...clock, sleep: async (milliseconds) => clock.advance(milliseconds) };
}

type Given = HttpFault | HttpResponse;

async function updateOne(context: TestContext, outcome: Given) {
  const { wm } = await emulated(context);
  const { http, requests } = failing(() => outcome);
  const ran = await wm(['task', 'update', sample.task, '--title', 'a'], {
    world: { http, clock: sleepless() },
  });
  return { ...ran, attempts: requests() };
}

async function updateTwo(context: TestContext, outcome: Given) {
  const { wm } = await emulated(context);
  const { http, requests } = failing(() => outcome);
  const clock = sleepless();
  const began = clock.now();
  const ran = await wm(['task', 'update', '--from', '-', '--yes', '--concurrency', '1', '--no-undoable'], {
    input: `id,title\n${sample.task},a\n${sample.backlog},b\n`,
    world: { http, clock, random: () => 0 },
  });
  const [kind = ''] = ran.output.split('\n').map((line) => line.split('\t')[2]);
  const waited = clock.now() - began >= 60_000;
  return { ...ran, attempts: requests(), reaction: kind !== 'not-sent' ? kind : waited ? 'wait' : 'end' };
}

async function watch(context: TestContext, outcome: Given): Promise<string> {
  let now: Given | undefined;
  const { http } = failing(() => now);
  const { watch } = await watched(context, await emulated(context), ['webhook', 'watch'], 60_000);
  const fail = () => {
    now = outcome;
  };
  const recover = () => {
    now = undefined;
  };
  const { errors, waits } = await watch([], [fail, recover], { http });
  if (waits.length === 1) return 'end';
  assert.match(errors, /^Cannot read the webhooks: [\s\S]*^The service responds again\.$/m);
  return 'again';
}

/** The first time that the public URL leads to the receiver, the service fails; the next time it does not. */
async function listen(context: TestContext, outcome: Given): Promise<string> {
  const place = await startPlace(context);
  const publicUrl = 'https://here.tunnel.example.com/';
  let isDown = false;
  const { open, look, server, texts } = await opened(
    context,
    place,
    { ...events, publicUrl },
    {
      service: (send) => (request, options) =>
        isDown && request.url !== publicUrl ? Promise.resolve(outcome) : send(request, options),
    },
  );
  place.edge.isBlocked = true;
  await open();
  place.edge.leadsTo = server.port;
  isDown = true;
  const before = texts.errors;
  await look();
  assert.notEqual(texts.errors.slice(before.length).replace(/^The way in works again.*\n/, ''), '');
  isDown = false;
  await look();
  return (await webhooks(place)).length === 1 ? 'again' : 'once';
}

const forward = async (outcome: HttpFault): Promise<string> => {
  const http: Http = { send: () => Promise.resolve(outcome) };
  const target = createHttpTarget(
    { http, clock: createTestClock() },
    { url: 'https://app.example.com/', headers: {}, timeoutMs: 60_000, connections: 1 },
  );
  return (await target.send(sampleDelivery(), 1, new AbortController().signal)).verdict;
};

for (const [name, outcome] of Object.entries(cases))
  test(`${name}: how each command reacts`, async (context) => {
    const single = await updateOne(context, outcome);
    assert.equal(single.status, 7, single.errors);
    const bulk = await updateTwo(context, outcome);
    assert.equal(bulk.status, 7, bulk.errors);
    if (bulk.reaction === 'end') {
      assert.equal(bulk.attempts, single.attempts);
      // The hint of the single command.
      assert.ok(
        bulk.errors.includes(single.errors.trimEnd().split('The request changed nothing. ')[1] ?? 'none'),
      );
    }
    const did = [
      single.attempts,
      bulk.reaction,
      await watch(context, outcome),
      await listen(context, outcome),
      await forward(outcome),
    ];
    assert.deepEqual(faults.get(name), did.map(String));
  });

const response = (status: number, error: string, headers: HttpResponse['headers'] = {}): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json', ...headers },
  body: new TextEncoder().encode(JSON.stringify({ error, errorDescription: 'A fault of the test' })),
});
/** What stands for each code that a response has. After an update, `server` and `bad_response` are an unknown outcome. */
const responses: Readonly<Record<string, HttpResponse>> = {
  rejected: response(400, 'invalid_parameter'),
  sign_in_needed: response(401, 'not_authorized'),
  forbidden: response(403, 'access_forbidden'),
  not_found: response(404, 'resource_not_found'),
  rate_limited: response(429, 'too_many_requests', { 'retry-after': '31536000' }),
  server: response(500, 'server_error'),
  bad_response: { status: 410, headers: {}, body: new Uint8Array() },
};

for (const [code, outcome] of Object.entries(responses))
  test(`${code}: how each command reacts`, async (context) => {
    const [status, bulk, ...following] = codes.get(`\`${code}\``) ?? [];
    const single = await updateOne(context, outcome);
    const two = await updateTwo(context, outcome);
    if (code === 'server' || code === 'bad_response')
      assert.deepEqual([single.status, two.reaction], [9, 'unknown']);
    else assert.deepEqual([String(single.status), two.reaction], [status, bulk], two.errors);
    assert.deepEqual([await watch(context, outcome), await listen(context, outcome)], following);
  });
