// `wm demo` where something does not work: what failed is in the message, and nothing is left behind.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { deliveryHeaders } from '#contract/delivery.ts';
import { internalCommands } from '#internal-commands.ts';
import { type Ran, run } from '#test/support/program/program.ts';
import { createWorld } from '#world/create-world.ts';
import type { Child, Listening, Output, World } from '#world/world.ts';
import { processOf } from './processes.ts';

const real = createWorld();
const report = '  Please report this, with the output of wm --version.\n';

/** Runs the demo in this world, and sees that its folder is gone. */
async function demo(world: Partial<World>, ...flags: readonly string[]): Promise<Ran> {
  let folder: string | undefined;
  const makeTemporaryFolder = async (prefix: string) => {
    folder = await real.files.makeTemporaryFolder(prefix);
    return folder;
  };
  const { PATH } = process.env;
  const ran = await run(['demo', ...flags], {
    environment: { PATH },
    world: { files: { ...real.files, makeTemporaryFolder }, ...world },
  });
  assert.ok(folder === undefined || !existsSync(folder), 'the folder is removed');
  return ran;
}

/** A child that has ended with this status, and printed nothing. */
const ended = (status: number): Child => ({
  ended: Promise.resolve(status),
  exited: Promise.resolve(status),
  pid: () => undefined,
  detach: () => {},
  release: () => {},
  kill: () => {},
});

for (const [listeners, errors] of [
  [0, 'wm: The receiver did not start\n  EPERM\n'],
  [1, `wm: The demo failed: The emulator did not start\n  EPERM\n${report}`],
] as const) {
  test(`only ${listeners} ports to listen on: an error, and no port stays open`, async (t) => {
    let count = 0;
    const open = new Set<Listening>();
    t.after(() => Promise.all([...open].map((server) => server.close())));
    const listen: World['server']['listen'] = async (at, handler) => {
      if (count++ >= listeners) return { fault: 'not-allowed', detail: 'EPERM' };
      const listening = await real.server.listen(at, handler);
      assert.ok(!('fault' in listening));
      open.add(listening);
      return {
        ...listening,
        close: async () => {
          open.delete(listening);
          await listening.close();
        },
      };
    };
    const ran = await demo({ server: { listen } });
    assert.deepEqual([ran.status, ran.output, ran.errors, open.size], [1, '', errors, 0]);
  });
}

for (const [columns, expected] of [
  [undefined, '78'],
  [100, '98'],
] as const) {
  test(`on a terminal of ${columns} columns, a command wraps in the width left by the indent`, async () => {
    let output = '';
    const words: (readonly string[])[] = [];
    const terminal: Output = {
      isTerminal: true,
      columns,
      write: async (text) => {
        output += text;
      },
      raw: real.streams.output.raw,
    };
    const world = {
      streams: { ...real.streams, output: terminal, errors: terminal },
      process: processOf((command) => {
        words.push(command.slice(2));
        return ended(3);
      }),
    };
    const ran = await demo(world, '--details');
    assert.deepEqual(words, [
      [internalCommands.simulatedTerminal, expected, 'login', '--no-browser', '--quiet'],
    ]);
    assert.match(output, /The demo failed: wm login --no-browser --quiet exited with status 3\n/);
    assert.equal(ran.status, 1);
  });
}

test('a consent page that fails to load ends the waiting sign-in', async () => {
  const send: World['http']['send'] = async ({ url }) => ({
    fault: 'reset',
    sent: false,
    detail: `no way to ${new URL(url).pathname}`,
  });
  const ran = await demo({ http: { ...real.http, send } });
  assert.match(ran.errors, /^wm: No response from http:\S+\n {2}no way to \/oauth2\/authorize\/v4\n/);
  assert.equal(ran.status, 7);
});

test('a webhook without an id ends the demo', async () => {
  const ran = await demo({
    process: processOf((command, options) =>
      command.includes('create') ? ended(0) : real.process.start(command, options),
    ),
  });
  assert.equal(ran.errors.slice(-report.length), report);
  assert.match(ran.errors, /^wm: The demo failed: The new webhook has no id\n/m);
  assert.equal(ran.status, 1);
});

test('an extra delivery is an error, as from a webhook that is not suspended', async () => {
  const send: World['http']['send'] = async (request, options) => {
    const isDelivery =
      request.url.startsWith('http://hooks.example.com/') &&
      request.headers[deliveryHeaders.idempotencyKey] !== undefined;
    if (isDelivery) await real.http.send(request, options);
    return real.http.send(request, options);
  };
  const ran = await demo({ http: { ...real.http, send } }, '--details');
  assert.match(ran.output, /\n {2}Verified: the signature is the HMAC of these bytes under the secret\.\n/);
  assert.match(
    ran.errors,
    /wm: The demo failed: A suspended webhook delivered an event\n {2}2 deliveries arrived\n/,
  );
  assert.equal(ran.status, 1);
});

test('says in words what happened, without a warning or JSON', async () => {
  const ran = await demo({});
  assert.deepEqual([ran.status, ran.errors], [0, '']);
  const happened = ran.output.split('\n').filter((line) => line.startsWith('  OK: '));
  assert.deepEqual(happened, [
    '  OK: Signed in: Ada Fields, in Paper Lantern Studio',
    '  OK: Completed: Ship the "a b+c&d=é" release',
    '  OK: Active: the receiver at http://hooks.example.com/demo proved that it knows the secret',
    '  OK: Active: Ship the "a b+c&d=é" release',
    '  OK: Delivered: TaskStatusChanged, with the right signature',
    '  OK: Suspended: http://hooks.example.com/demo',
    '  OK: Deferred: Ship the "a b+c&d=é" release',
    '  OK: No second delivery arrived.',
  ]);
  assert.doesNotMatch(ran.output, /Cannot|spelling|warning|\{"/i);
  assert.ok(ran.output.split('\n').length <= 42, ran.output);
});

test('--details shows command output, the JSON of the delivery and its signature, without a warning', async () => {
  const ran = await demo({}, '--details');
  assert.deepEqual([ran.status, ran.errors], [0, '']);
  assert.match(ran.output, /A delivery arrived: \[\{"webhookId":/);
  assert.match(ran.output, /\n {2}X-Hook-Signature: [0-9a-f]{64}\n/);
  assert.match(ran.output, /\n {2}IEAAAAAQKQAB5BNG\tCompleted\t/);
  assert.doesNotMatch(ran.output, /Cannot|spelling/);
});
