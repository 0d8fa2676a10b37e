// What the control commands (`wm emulator emit`, `wm emulator stub` and so on) say of an emulator that does not respond, and of what is
// none. test/transcript/emulator-control.txt shows their requests.

import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { test } from 'node:test';
import { run } from '#test/support/program/program.ts';
import { listening } from '#test/support/service/listening.ts';
import { jsonReply, startRawServer } from '#test/support/service/raw-server.ts';
import type { World } from '#world/world.ts';

const taskId = 'IEAAAAAQKQAB5BNG';
const user = 'KUAABENQ';

for (const [address, start] of [
  ['http://127.0.0.1:1', 'wm emulator start --port 1'],
  ['https://localhost:1', 'wm emulator start --port 1 --tls'],
  ['http://[::1]', 'wm emulator start'],
] as const) {
  test(`connection refused at ${address}: says how to start an emulator there`, async () => {
    const refused = { fault: 'connection-refused', sent: false, detail: 'connect ECONNREFUSED' } as const;
    const { status, errors } = await run(['emulator', 'reset', '--url', address], {
      world: { http: { send: async () => refused } },
    });
    assert.equal(
      errors,
      `wm: No emulator responds at ${address}/_emulator/reset\n  connect ECONNREFUSED\n  To start one: ${start}\n`,
    );
    assert.equal(status, 7);
  });
}

test('commands that wait for deliveries to dead receivers have an hour, unless --timeout is shorter', async () => {
  const limits: number[] = [];
  const slow = { fault: 'timeout', sent: true, detail: 'no response' } as const;
  const send: World['http']['send'] = async (_, { timeoutMs }) => {
    limits.push(timeoutMs ?? 0);
    return slow;
  };
  const wm = (args: string) =>
    run(['emulator', ...args.split(' '), '--url', 'http://127.0.0.1:1'], { world: { http: { send } } });
  const { status, errors } = await wm('clock --advance 1h');
  assert.deepEqual(
    [status, errors],
    [
      7,
      'wm: The emulator at http://127.0.0.1:1/_emulator/clock did not respond within 3600 s\n  no response\n  It may still be at work. To wait longer: --timeout SECONDS.\n',
    ],
  );
  await wm('deliveries --settled');
  await wm('clock --advance 1h --timeout 5');
  await wm('clock');
  assert.deepEqual(limits, [3_600_000, 3_600_000, 5_000, 30_000]);
});

for (const command of ['emit TaskCreated', 'make-tasks', 'snapshot', 'stub', 'token'])
  test(`${command}: names the emulator that does not respond`, async () => {
    const { status, errors } = await run(['emulator', ...command.split(' '), '--url', 'http://127.0.0.1:1']);
    assert.match(errors, /^wm: No emulator responds at http:\/\/127\.0\.0\.1:1\/_emulator\//);
    assert.equal(status, 7);
  });

for (const [args, body, why] of [
  ['mails', '{"data":[]}', 'its response has no mails'],
  ['mails', '{"mails":{}}', 'its response has no mails'],
  ['fault', 'null', 'its response has no faults'],
  ['user --json', '[]', 'its response has no users'],
  ['reset', '<html>', undefined],
  ['reset', '{}', 'its response has no reset'],
  ['reset --json', '{"data":[]}', 'its response has no reset'],
  ['revoke password-reset', '{"kind":"tasks"}', 'its response has no revoked'],
  ['revoke password-reset', '{"revoked":null}', 'its response has no revoked'],
  [`mass-action ${taskId} --parameters {}`, '[]', 'its response has no tasks'],
  [`user ${user} --remove`, '{"removed":true}', 'its response has no tokens'],
] as const) {
  test(`${args}: a server that responds with ${body} is not an emulator`, async (t) => {
    const server = await startRawServer(() => jsonReply(200, body));
    t.after(() => server.close());
    const words = args.split(' ');
    const ran = await run(['emulator', ...words, '--url', `http://${server.host}`]);
    assert.deepEqual([ran.status, ran.output], [1, '']);
    const message = 'The server at that address is not an emulator';
    const hint = `Give --url or set WM_EMULATOR_URL. \`wm emulator start\` prints the address; \`wm emulator exec\` sets the variable.`;
    if (words.includes('--json')) assert.equal(JSON.parse(ran.errors).error.message, `${message}: ${why}`);
    else assert.equal(ran.errors, `wm: ${message}\n${why === undefined ? '' : `  ${why}\n`}  ${hint}\n`);
  });
}

test('https to an emulator that serves http: does not blame a certificate', async (t) => {
  const server = createServer((_, response) => response.end());
  t.after(() => server.close());
  const url = `https://127.0.0.1:${await listening(server)}`;
  const { status, errors } = await run(['emulator', 'mails', '--url', url]);
  assert.equal(status, 7, errors);
  assert.match(
    errors,
    /^wm: Cannot establish a trusted connection to https.*\n {2}the server does not speak TLS at this port\n/,
  );
  assert.doesNotMatch(errors, /certificate|--ca/);
});

test('reports an unexplained failure of the emulator by its status code', async (t) => {
  const server = await startRawServer((_, count) => jsonReply(502, count === 1 ? '{}' : '"down"'));
  t.after(() => server.close());
  for (const _ of ['an object', 'a text']) {
    const { status, errors } = await run(['emulator', 'clock', '--url', `http://${server.host}`]);
    assert.deepEqual([status, errors], [1, 'wm: The emulator responded with 502\n']);
  }
});
