// Ctrl-C while a webhook is being suspended: wm names the changes that may have been made, how to check them, and what is left
// to do.

import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { seedOf } from '#test/emulator/seed/any-seed.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { handSignals } from '#test/support/program/manual-signals.ts';
import { collectStreams } from '#test/support/program/streams.ts';
import { fail, inFront } from '#test/support/service/intercept.ts';
import { call } from '#test/support/service/start-emulator.ts';
import { createWorld } from '#world/create-world.ts';
import type { Interruption } from '#world/world.ts';
import { withHooks } from '../three-webhooks.ts';

/** The signal comes at the first request for which `isLast` is true; it gets no response. */
async function interrupted(context: TestContext, signal: Interruption) {
  const hooks = await withHooks(context);
  const { wm, environment } = hooks;
  return {
    ...hooks,
    async run(argv: readonly string[], isLast: (request: IncomingMessage, puts: number) => boolean) {
      const signals = handSignals();
      let puts = 0;
      let isInterrupted = false;
      const host = await inFront(context, environment['WM_HOST'], (request) => {
        if (request.method === 'PUT') puts++;
        // The interrupted run finds no service.
        if (isInterrupted) request.socket.destroy();
        else if (isLast(request, puts)) {
          isInterrupted = true;
          signals.interrupt(signal);
        }
        return isInterrupted;
      });
      return wm(argv, {
        environment: { WM_HOST: host },
        world: { process: signals.process, clock: { ...createWorld().clock, sleep: async () => {} } },
      });
    },
  };
}

/** A world in which the signal comes with the first result. */
function interruptedByOutput() {
  const signals = handSignals();
  const { streams, texts } = collectStreams();
  const output = {
    ...streams.output,
    write: async () => {
      if (signals.listeners.size > 0) signals.interrupt();
    },
  };
  return { world: { process: signals.process, streams: { ...streams, output } }, texts };
}

const isPut = (request: IncomingMessage) => request.method === 'PUT';

test('one, during its change: how to see the outcome', async (context) => {
  const { run, one } = await interrupted(context, 'SIGINT');
  const ran = await run(['webhook', 'suspend', one, '--yes'], isPut);
  assert.equal(ran.status, 130, ran.errors);
  assert.equal(
    ran.errors,
    `Account IEAAAAAQ
2 more active webhooks deliver to other URLs of hooks.example.com. To list them: wm webhook list --status active --url //hooks.example.com/
wm: Interrupted
  PUT /webhooks/${one} was sent; its outcome is unknown
  To see its status: wm webhook get ${one}
  You can run it again safely: wm webhook suspend ${one} --yes
  To put back what it changed: wm webhook undo
`,
  );
});

test('one, while it is read back', async (context) => {
  const { run, one, statuses } = await interrupted(context, 'SIGTERM');
  const ran = await run(
    ['webhook', 'suspend', one, '--yes', '--json'],
    (request, puts) => puts > 0 && !isPut(request),
  );
  assert.equal(ran.status, 143, ran.errors);
  const { message, hint } = JSON.parse(ran.errors).error;
  assert.equal(message, `Ended by SIGTERM: PUT /webhooks/${one} was done`);
  assert.ok(hint.startsWith(`To see its status: wm webhook get ${one}\n`), hint);
  assert.deepEqual(await statuses(), ['Suspended', 'Active', 'Active']);
});

test('before anything was sent: nothing to check', async (context) => {
  const { run, one, two } = await interrupted(context, 'SIGINT');
  for (const ids of [[one], [one, two]]) {
    const ran = await run(['webhook', 'suspend', ...ids, '--yes'], () => true);
    assert.equal(ran.status, 130, ran.errors);
    assert.equal(ran.errors, 'wm: Interrupted\n  nothing was changed\n');
  }
});

test('several: reports what is done, unknown and not tried', async (context) => {
  const { run, one, two, three, nameOne, nameThree, statuses } = await interrupted(context, 'SIGHUP');
  const missingId = 'IEAAAAAQJAAAAAAB';
  const ran = await run(['webhook', 'suspend', one, missingId, two, three, '--yes'], (_, puts) => puts === 2);
  assert.equal(ran.status, 129, ran.errors);
  assert.ok(
    ran.errors.endsWith(`wm: Ended by SIGHUP
  PUT /webhooks/${two} was sent; its outcome is unknown; PUT /webhooks/${one} was done
  ${nameOne} is Suspended; 2 of 4 webhooks were not suspended: ${missingId} failed, and ${nameThree} was not tried
  To see its status: wm webhook get ${two}
  You can run it again safely: wm webhook suspend ${two} ${three} --yes
  To put back what it changed: wm webhook undo
`),
    ran.errors,
  );
  assert.deepEqual(await statuses(), ['Suspended', 'Active', 'Active']);
});

test('several: says to check one with an unknown outcome too', async (context) => {
  const { run, one, two, three, nameOne, nameThree } = await interrupted(context, 'SIGINT');
  // Neither the change of the first webhook nor reading it back gets a response.
  let sent = false;
  const ran = await run(['webhook', 'suspend', one, two, three, '--yes'], (request) => {
    const first = request.url?.includes(one) === true;
    sent ||= first && isPut(request);
    if (first && sent) request.socket.destroy();
    return isPut(request) && !first;
  });
  assert.equal(ran.status, 130, ran.errors);
  assert.ok(
    ran.errors.endsWith(`wm: Interrupted
  PUT /webhooks/${one}, PUT /webhooks/${two} were sent; their outcomes are unknown
  it is unknown whether ${nameOne} was suspended; ${nameThree} was not tried
  To see their status: wm webhook get ${one} ${two}
  You can run it again safely: wm webhook suspend ${one} ${two} ${three} --yes
  To put back what it changed: wm webhook undo
`),
    ran.errors,
  );
});

for (const [verb, method, done] of [
  ['suspend', 'PUT', 'suspended'],
  ['delete', 'DELETE', 'deleted'],
] as const)
  test(`nine webhooks, eight at once: ${verb} names each request in flight, and the rejected one`, async (context) => {
    const webhooks = Array.from({ length: 9 }, (_, n) => ({ hookUrl: `http://hooks.example.com/${n}` }));
    const { wm, emulator, environment } = await emulated(context, { seed: seedOf({ version: 1, webhooks }) });
    const { body } = await call(emulator, 'GET', '/webhooks');
    const ids: readonly string[] = body.data.map(({ id }: { readonly id: string }) => id);
    const [rejected = '', ...others] = ids;
    const signals = handSignals();
    const inFlight: string[] = [];
    const host = await inFront(context, environment['WM_HOST'], (request, response) => {
      if (request.method !== method) return false;
      if (request.url?.includes(rejected)) return fail(response, 403, 'access_forbidden');
      // The ninth is sent once the first has its response.
      inFlight.push(`${method} ${request.url?.replace(/^\/api\/v4|\?.*$/g, '')}`);
      if (inFlight.length === others.length) signals.interrupt();
      return true;
    });
    const ran = await wm(['webhook', verb, ...ids, '--yes'], {
      environment: { WM_HOST: host },
      world: { process: signals.process },
    });
    assert.equal(ran.status, 130, ran.errors);
    const [, sent = ''] = /^ {2}(.*) were sent; /m.exec(ran.errors) ?? [];
    assert.deepEqual(sent.split(', ').toSorted(), inFlight.toSorted());
    assert.ok(
      ran.errors.endsWith(`wm: Interrupted
  ${sent} were sent; their outcomes are unknown; ${method} /webhooks/${rejected} was rejected
  1 of 9 webhooks was not ${done}: http://hooks.example.com/0 (${rejected})
  To see their status: wm webhook get ${others.join(' ')}
  You can run it again safely: wm webhook ${verb} ${ids.join(' ')} --yes
${verb === 'suspend' ? '  To put back what it changed: wm webhook undo\n' : ''}`),
      ran.errors,
    );
  });

test('one rejected, while waiting out the rate limit', async (context) => {
  const { wm, environment, one, statuses } = await withHooks(context);
  const signals = handSignals();
  const host = await inFront(
    context,
    environment['WM_HOST'],
    ({ method }, response) => method === 'PUT' && fail(response, 429, 'too_many_requests'),
  );
  const sleep = async () => signals.interrupt();
  const ran = await wm(['webhook', 'suspend', one, '--yes', '--quiet'], {
    environment: { WM_HOST: host },
    world: { process: signals.process, clock: { ...createWorld().clock, sleep } },
  });
  assert.equal(ran.status, 130, ran.errors);
  assert.ok(ran.errors.includes(`wm: Interrupted\n  PUT /webhooks/${one} was rejected\n`), ran.errors);
  assert.deepEqual(await statuses(), ['Active', 'Active', 'Active']);
});

test('a stored new secret, before anything was sent: how to continue', async (context) => {
  const { wm, one } = await withHooks(context);
  const { world, texts } = interruptedByOutput();
  const ran = await wm(['webhook', 'rotate-secret', one, '--prepare', '--generate-secret', '--quiet'], {
    world,
  });
  assert.equal(ran.status, 130, texts.errors);
  assert.match(texts.errors, /^wm: Interrupted\n {2}To continue: wm webhook rotate-secret .*\n$/m);
});

test('a new note on a webhook that is already Suspended', async (context) => {
  const { wm, one, nameOne } = await withHooks(context);
  assert.equal((await wm(['webhook', 'suspend', one, '--yes'])).status, 0);
  const { world, texts } = interruptedByOutput();
  const ran = await wm(['webhook', 'suspend', one, '--note', 'an incident', '--yes', '--quiet'], { world });
  assert.equal(ran.status, 130, texts.errors);
  assert.equal(
    texts.errors,
    `wm: Interrupted\n  ${nameOne} is Suspended\n  To put back what it changed: wm webhook undo\n`,
  );
});

test('any other change, while in flight: how to check the outcome', async (context) => {
  const { wm, environment, task } = await emulated(context);
  const before = await task(sample.task);
  const signals = handSignals();
  const host = await inFront(context, environment['WM_HOST'], ({ method }) => {
    if (method !== 'PUT') return false;
    signals.interrupt();
    return true;
  });
  const ran = await wm(['task', 'update', sample.task, '--title', 'x'], {
    environment: { WM_HOST: host },
    world: { process: signals.process },
  });
  assert.equal(ran.status, 130, ran.errors);
  const look = `api GET /tasks/${sample.task}`;
  assert.equal(
    ran.errors,
    `wm: Interrupted
  PUT /tasks/${sample.task} was sent; its outcome is unknown
  To check: wm ${look}
`,
  );
  const looked = await wm(look.split(' '));
  assert.equal(JSON.parse(looked.output).data[0].title, before.title);
});

test('several, while printing the results: all are done, with nothing to check or repeat', async (context) => {
  const { wm, one, two, nameOne, nameTwo, statuses } = await withHooks(context);
  const { world, texts } = interruptedByOutput();
  const ran = await wm(['webhook', 'suspend', one, two, '--yes', '--quiet'], { world });
  assert.equal(ran.status, 130, texts.errors);
  assert.equal(
    texts.errors,
    `wm: Interrupted
  PUT /webhooks/${one}, PUT /webhooks/${two} were done
  ${nameOne} and ${nameTwo} are Suspended
  To put back what it changed: wm webhook undo
`,
  );
  assert.deepEqual(await statuses(), ['Suspended', 'Suspended', 'Active']);
});
