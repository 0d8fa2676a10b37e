// `wm emulator requests`: the list for users, and the check for shell tests.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import { handSignals } from '#test/support/program/manual-signals.ts';
import { run } from '#test/support/program/program.ts';
import { jsonReply, startRawServer } from '#test/support/service/raw-server.ts';
import { createClock } from '#world/clock.ts';

test('lists the requests, with the reason of each rejection', async (t) => {
  const { wm } = await emulated(t);
  await wm(['whoami']);
  await wm(['api', 'PUT', '/tasks/IEAAAAAQKQAB5BNG', '-f', 'importance=Huge', '--yes']);
  const listed = await wm(['emulator', 'requests']);
  assert.match(listed.output, /^1\t\S+Z\tGET\t\/api\/v4\/account\tgetAccount\t200\t\t.*\n/);
  const rejected = await wm(['emulator', 'requests', '--rejected']);
  assert.match(
    rejected.output,
    /^\d\t\S+\tPUT\t\/api\/v4\/tasks\/IEAAAAAQKQAB5BNG\?importance=Huge\tupdateTask\t400\tinvalid_parameter: Parameter 'importance' .*\t\n$/,
  );
  const cleared = await wm(['emulator', 'requests', '--clear']);
  assert.deepEqual([cleared.status, cleared.errors], [0, 'The log of requests is empty.\n']);
  assert.equal((await wm(['emulator', 'requests'])).errors, 'No requests.\n');
});

test('--expect compares the counts: 10 if one differs, 2 for an unknown name', async (t) => {
  const { wm } = await emulated(t);
  await wm(['api', 'PUT', '/tasks/IEAAAAAQKQAB5BNG', '-f', 'importance=High', '--yes']);
  await wm(['api', 'PUT', '/tasks/IEAAAAAQKQAB5BNG', '-f', 'importance=Huge', '--yes']);
  const expect = (...args: readonly string[]) =>
    wm([
      'emulator',
      'requests',
      ...args.flatMap((word) => (word.startsWith('-') ? [word] : ['--expect', word])),
    ]);
  const met = await expect('updateTask=2', 'deleteWebhook=0', 'any=2');
  assert.deepEqual([met.status, met.output, met.errors], [0, '', 'As expected.\n']);
  assert.equal((await expect('updateTask=1', '--rejected')).status, 0);
  const unmet = await expect('updateTask=1,token=1');
  assert.deepEqual(
    [unmet.status, unmet.output, unmet.errors],
    [
      10,
      '',
      'wm: Expected 1 updateTask request, found 2; Expected 1 token request, found 0\n  To see the requests: wm emulator requests\n',
    ],
  );
  for (const args of ['updateTsk=0', 'any=2,updateTsk=0'])
    assert.match(
      (await expect(args)).errors,
      /"updateTsk" is not the name of a request; did you mean updateTask\?/,
    );
  for (const args of ['updateTask', 'updateTask=', 'updateTask=-1', 'updateTask=1.5'])
    assert.equal((await expect(args)).status, 2, args);
  const last = (await wm(['emulator', 'requests', '--json', '--jq', '.[-1].number'])).output.trim();
  assert.equal((await expect('any=0', `--since=${last}`)).status, 0);
});

test('--ignored lists ignored parts and the assumptions used, one line each', async (t) => {
  const { wm } = await emulated(t);
  await wm(['task', 'update', 'IEAAAAAQKQAB5BNG', '--importance', 'High']);
  await wm(['emulator', 'requests', '--clear']);
  await wm(['api', 'PUT', '/tasks/IEAAAAAQKQAB5BNG', '-f', 'importance=Low', '--yes']);
  const nothing = 'Nothing was ignored or only assumed of any request.\n';
  assert.deepEqual((await wm(['emulator', 'requests', '--ignored'])).errors, nothing);
  await wm(['api', 'POST', '/tasks/IEAAAAAQKQAB5BNG/comments', '-f', 'text=x', '-f', 'colour=red', '--yes']);
  const { output } = await wm(['emulator', 'requests', '--ignored']);
  assert.match(
    output,
    /^\d+\t\S+\tPOST\t\/api\/v4\/tasks\/IEAAAAAQKQAB5BNG\/comments\tcreateTaskComment\t200\t\tignored: colour; assumed: .*unknown-parameter\n$/,
  );
  const none = await wm(['emulator', 'requests', '--ignored', '--expect', 'updateTask=0']);
  assert.deepEqual([none.status, none.errors], [0, 'As expected.\n']);
  assert.equal((await wm(['emulator', 'requests', '--ignored', '--clear'])).status, 2);
});

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
