// `wm emulator requests`: the list for users, and the check for shell tests.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import { handSignals } from '#test/support/program/manual-signals.ts';
import { run } from '#test/support/program/program.ts';
import { jsonReply, startRawServer } from '#test/support/service/raw-server.ts';
import { createClock } from '#world/clock.ts';

test('--follow prints new requests until the emulator ends, and continues after a reset', async (t) => {
  const { wm, emulator } = await emulated(t);
  const send = () => fetch(`${emulator.baseUrl}/account`);
  const reset = () => fetch(`${emulator.controlUrl}/reset`, { method: 'POST' });
  const steps = [send, reset, send, () => emulator.close()];
  let step = 0;
  const sleep = async () => void (await steps[step++]?.());
  await send();
  const { status, output, errors } = await wm(['emulator', 'requests', '--follow'], {
    world: { clock: { ...createClock(), sleep } },
  });
  assert.deepEqual(
    output.split('\n').map((line) =>
      line
        .split('\t')
        .filter((_, at) => at !== 1)
        .join(' '),
    ),
    ['1', '2', '3']
      .map(
        (number) =>
          `${number} GET /api/v4/account getAccount 401 not_authorized: Access token is unknown or invalid assumed: unauthorized-body`,
      )
      .concat(''),
  );
  assert.match(errors, /^wm: No emulator responds at /);
  assert.equal(status, 7);
});

test('--follow starts over with an emulator that was restarted', async (t) => {
  const request = { date: 'now', operation: 'none', method: 'GET', path: '/', query: '' };
  const first = { requests: [{ ...request, number: 5 }], last: 5, removed: 0 };
  const second = { ...first, requests: [{ ...request, number: 1 }], last: 1 };
  const responses = [first, { ...second, requests: [] }, second];
  const server = await startRawServer((_, count) => jsonReply(200, responses[count - 1] ?? '{}'));
  t.after(() => server.close());
  const clock = { ...createClock(), sleep: async () => {} };
  const args = ['emulator', 'requests', '--follow', '--url', `http://${server.host}`];
  const { output } = await run(args, { world: { clock } });
  assert.equal(output, '5\tnow\tGET\t/\tnone\tnone\t\t\n1\tnow\tGET\t/\tnone\tnone\t\t\n');
  assert.deepEqual(
    server.requests.map((text) => text.split(' ')[1]),
    ['', '?since=5', '', '?since=1'].map((query) => `/_emulator/requests${query}`),
  );
});

test('--follow ends with Ctrl-C: no error, exit 130', async (t) => {
  const { wm } = await emulated(t);
  const signals = handSignals();
  const sleep = () => {
    signals.interrupt();
    return new Promise<void>(() => {});
  };
  const { status, errors } = await wm(['emulator', 'requests', '--follow'], {
    world: { process: { ...signals.process, self: ['node'] }, clock: { ...createClock(), sleep } },
  });
  assert.deepEqual([status, errors], [130, 'Ended.\n']);
});
