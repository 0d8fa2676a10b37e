// Several webhooks in one command: each is changed, read back and reported by its URL and id. If one fails, wm still tries the
// others, and the exit status says that a part failed.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { seedOf } from '#test/emulator/seed/any-seed.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { fail, inFront } from '#test/support/service/intercept.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { createWorld } from '#world/create-world.ts';
import { onStage } from '../on-stage.ts';
import { withHooks } from '../three-webhooks.ts';

test('does not report an unknown outcome as a failure', async (context) => {
  const { wm, environment, one, two, nameOne } = await withHooks(context);
  // In front of the emulator: neither the change of the first webhook nor reading it gets a response.
  let isSent = false;
  const host = await inFront(context, environment['WM_HOST'], ({ method, url, socket }) => {
    isSent ||= method === 'PUT' && url?.includes(one) === true;
    if (!isSent || !url?.includes(one)) return false;
    socket.destroy();
    return true;
  });
  const ran = await wm(['webhook', 'suspend', one, two, '--yes'], {
    environment: { WM_HOST: host },
    world: { clock: { ...createWorld().clock, sleep: async () => {} } },
  });
  assert.equal(ran.status, 8, ran.errors);
  assert.match(ran.output, new RegExp(`^${two}\tSuspended\t.*\n$`));
  const message = `It is unknown whether ${nameOne} was suspended`;
  assert.ok(
    ran.errors.includes(`\nwm: ${message}\n  You can run it again safely: wm webhook suspend ${one} --yes\n`),
    ran.errors,
  );
});

test('suspends one again that was resumed during the question', async (context) => {
  const { open, ids, statuses, setStatus } = await onStage(context, 'one', 'two');
  await setStatus(ids[0], 'Suspended');
  const terminal = open(`wm webhook suspend ${ids.join(' ')}`);
  await terminal.shows('(y/N)');
  await setStatus(ids[0], 'Active');
  terminal.type(`y${key.enter}`);
  assert.equal(await terminal.ended, 0);
  assert.deepEqual(await statuses(), ['Suspended', 'Suspended']);
});

/** So many webhooks, and the requests that `answer` sees in front of the emulator: it returns true for those that it answers. */
async function withMany(context: TestContext, count: number, answer: Parameters<typeof inFront>[2]) {
  const webhooks = Array.from({ length: count }, (_, index) => ({ hookUrl: `https://a.example/${index}` }));
  const { wm, emulator, environment } = await emulated(context, { seed: seedOf({ version: 1, webhooks }) });
  const { body } = await call(emulator, 'GET', '/webhooks');
  const ids: readonly string[] = body.data.map(({ id }: { readonly id: string }) => id);
  const waits: number[] = [];
  const { monotonic, ...clock } = createWorld().clock;
  /** A wait is over at once, and the time has moved on. */
  const waitless = {
    ...clock,
    monotonic: () => monotonic() + waits.reduce((sum, wait) => sum + wait, 0),
    sleep: async (milliseconds: number) => void waits.push(milliseconds),
  };
  const host = await inFront(context, environment['WM_HOST'], answer);
  const suspend = (selection: readonly string[]) =>
    wm(['webhook', 'suspend', ...selection, '--yes'], {
      environment: { WM_HOST: host },
      world: { clock: waitless },
    });
  return { wm, ids, waits, suspend, suspendAll: () => suspend(['--all']) };
}

test('suspends eight of many at once, and prints the results in the order given', async (context) => {
  const waiting: (() => void)[] = [];
  const { wm, ids, suspendAll } = await withMany(context, 16, ({ method }, response) => {
    if (method !== 'PUT') return false;
    waiting.push(() => fail(response, 403, 'not_allowed'));
    // No request gets a response before eight have arrived: in sequence they would wait for ever.
    if (waiting.length === 8) for (const answer of waiting.splice(0)) answer();
    return true;
  });
  const refused = await suspendAll();
  assert.equal(refused.status, 8, refused.errors);
  assert.match(refused.errors, /^wm: 16 of 16 webhooks were not suspended: /m);
  const ran = await wm(['webhook', 'suspend', '--all', '--yes']);
  assert.deepEqual(ran.output.match(/^\w+/gm), ids);
});

test('reads many back in one request, and waits out a rate limit for all of them', async (context) => {
  let puts = 0;
  const reads: (readonly string[])[] = [];
  const { ids, waits, suspendAll } = await withMany(context, 120, ({ method, url = '' }, response) => {
    const [, read] = /\/webhooks\/([^?]+)/.exec(url) ?? [];
    if (method === 'GET' && read !== undefined) reads.push(read.split(','));
    if (method !== 'PUT' || ++puts !== 60) return false;
    response.setHeader('retry-after', '90');
    return fail(response, 429, 'rate_limit_exceeded');
  });
  const ran = await suspendAll();
  assert.equal(ran.status, 0, ran.errors);
  assert.deepEqual(
    ran.output.match(/^\w+\tSuspended/gm),
    ids.map((id) => `${id}\tSuspended`),
  );
  assert.deepEqual(reads.flat().toSorted(), ids.toSorted());
  assert.ok(reads.length < 30, `${reads.length} requests read 120 webhooks back`);
  assert.ok(Math.max(...waits) > 80_000, `${waits}`);
  assert.match(ran.errors, /^The service limits the rate of requests. Waiting 90 s.$/m);
});

test('a rate limit of more than fifteen minutes ends the command, which prints how to repeat the rest', async (context) => {
  let puts = 0;
  const { ids, suspendAll } = await withMany(context, 16, ({ method }, response) => {
    if (method !== 'PUT' || ++puts <= 8) return false;
    response.setHeader('retry-after', '3600');
    return fail(response, 429, 'rate_limit_exceeded');
  });
  const { status, output, errors } = await suspendAll();
  assert.equal(status, 8, errors);
  const done = output.match(/^\w+(?=\tSuspended)/gm) ?? [];
  assert.equal(done.length, 8, output);
  const rest = ids.filter((id) => !done.includes(id));
  assert.match(errors, /waiting it out would take longer than 15 minutes; /);
  assert.ok(errors.endsWith(`Then repeat the rest: wm webhook suspend ${rest.join(' ')} --yes\n`), errors);
});

for (const [what, status, body] of [
  ['the service fails to read', 500, { error: 'server_error', errorDescription: 'A fault of the test' }],
  ['is read without an id', 200, { kind: 'webhooks', data: [{ status: 'Active' }] }],
  ['is left out of the response', 200, { kind: 'webhooks', data: [] }],
] as const)
  test(`one of many ${what}: suspends the others anyway`, async (context) => {
    let oddId = '';
    const { wm, ids, suspend } = await withMany(context, 16, ({ method, url = '' }, response) => {
      if (method !== 'GET' || oddId === '' || !url.includes(oddId)) return false;
      response.writeHead(status, { 'Content-Type': 'application/json' });
      response.end(JSON.stringify(body));
      return true;
    });
    // The first waits to be read back, together with others, until the last change is sent.
    const others = ids.slice(1);
    oddId = ids[0] ?? '';
    // Those that are given by their ids are read beforehand, too.
    for (const selection of [ids, ['--all']]) {
      const ran = await suspend(selection);
      assert.equal(ran.status, 8, ran.errors);
      assert.deepEqual(ran.output.match(/^\w+(?=\tSuspended)/gm), others, ran.errors);
      await wm(['webhook', 'resume', '--all', '--yes', '--no-verify']);
    }
  });

test('token rejected at the last: marks and repeats an unknown outcome too', async (context) => {
  const { wm, environment, one, two, nameOne, nameTwo } = await withHooks(context);
  // The first change gets no response, and from then on the token is rejected.
  let isSent = false;
  const host = await inFront(context, environment['WM_HOST'], ({ method, url, socket }, response) => {
    isSent ||= method === 'PUT';
    if (!isSent) return false;
    if (method !== 'PUT' || !url?.includes(one)) return fail(response, 401, 'not_authorized');
    socket.destroy();
    return true;
  });
  const ran = await wm(['webhook', 'suspend', one, two, '--yes'], {
    environment: { WM_HOST: host },
    world: { clock: { ...createWorld().clock, sleep: async () => {} } },
  });
  assert.equal(ran.status, 8, ran.errors);
  assert.equal(ran.output, '');
  const message = `1 of 2 webhooks was not suspended: ${nameTwo}; it is unknown whether ${nameOne} was suspended`;
  assert.ok(ran.errors.includes(`; ${message}\n`), ran.errors);
  assert.ok(ran.errors.endsWith(`wm webhook suspend ${one} ${two} --yes\n`), ran.errors);
});

test('signed out: none was tried; the hint is to sign in, then to repeat', async (context) => {
  const { wm } = await emulated(context, {}, { signedOut: true });
  const others = ['IEAAAAAQJAAAAAAB', 'IEAAAAAQJAAAAAAC'];
  for (const verb of ['suspend', 'delete']) {
    const ran = await wm(['webhook', verb, ...others, '--yes']);
    assert.equal(ran.status, 4, ran.errors);
    assert.ok(
      ran.errors.endsWith(`\n  Then repeat the rest: wm webhook ${verb} ${others.join(' ')} --yes\n`),
      ran.errors,
    );
    assert.ok(ran.errors.includes(`\n  ${others.join(' and ')} were not tried\n`), ran.errors);
  }
});
