// Ctrl-C while a webhook is being suspended: wm names the changes that may have been made, how to check them, and what is left
// to do.

import assert from 'node:assert/strict';
import type { IncomingMessage } from 'node:http';
import { PassThrough, Readable } from 'node:stream';
import { type TestContext, test } from 'node:test';
import { createWorld } from '#world/create-world.ts';
import type { Interruption } from '#world/world.ts';
import { inFront } from '../app/intercept.ts';
import { handSignals } from '../app/manual-signals.ts';
import { withHooks } from './three-webhooks.ts';

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

const isPut = (request: IncomingMessage) => request.method === 'PUT';

test('one, while its change is under way: how to see what became of it', async (context) => {
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

test('before anything was sent there is nothing to see', async (context) => {
  const { run, one, two } = await interrupted(context, 'SIGINT');
  for (const ids of [[one], [one, two]]) {
    const ran = await run(['webhook', 'suspend', ...ids, '--yes'], () => true);
    assert.equal(ran.status, 130, ran.errors);
    assert.equal(ran.errors, 'wm: Interrupted\n  nothing was changed\n');
  }
});

test('several: what is done, what is not known, what was not tried', async (context) => {
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
`),
    ran.errors,
  );
  assert.deepEqual(await statuses(), ['Suspended', 'Active', 'Active']);
});

test('several: one with an unknown outcome is to be looked at too', async (context) => {
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
`),
    ran.errors,
  );
});

test('several, when the results are being printed: all are done, and nothing is left to see or repeat', async (context) => {
  const { wm, one, two, nameOne, nameTwo, statuses } = await withHooks(context);
  const signals = handSignals();
  let errors = '';
  const collect = (write: (text: string) => void) => ({
    isTerminal: false,
    columns: undefined,
    write: async (text: string) => write(text),
    raw: new PassThrough(),
  });
  const ran = await wm(['webhook', 'suspend', one, two, '--yes', '--quiet'], {
    world: {
      process: signals.process,
      streams: {
        input: { isTerminal: false, readAll: async () => new Uint8Array(), raw: Readable.from([]) },
        output: collect(() => {
          if (signals.listeners.size > 0) signals.interrupt();
        }),
        errors: collect((text) => {
          errors += text;
        }),
      },
    },
  });
  assert.equal(ran.status, 130, errors);
  assert.equal(
    errors,
    `wm: Interrupted
  PUT /webhooks/${one}, PUT /webhooks/${two} were done
  ${nameOne} and ${nameTwo} are Suspended
`,
  );
  assert.deepEqual(await statuses(), ['Suspended', 'Suspended', 'Active']);
});
