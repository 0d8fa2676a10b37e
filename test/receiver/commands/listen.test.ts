// `wm webhook listen` as users run it: deliveries come in over HTTP, are stored, and are forwarded.

import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { createTestClock } from '#test/support/clock.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { firstCells } from '#test/support/program/cells.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { printedCommand } from '#test/support/program/printed.ts';
import { run } from '#test/support/program/program.ts';
import { certificate, key } from '#test/support/service/certificate.ts';
import { listening } from '#test/support/service/listening.ts';
import { createWorld } from '#world/create-world.ts';
import type { Http } from '#world/world.ts';
import { diskWithRoom } from '../listen/disk-with-room.ts';
import { deliver, listen, secret, startListener, startTarget } from '../listen/running-listener.ts';

const task = 'IEAAAAAQKQAB5BNG';
const statusChanged = [{ eventType: 'TaskStatusChanged', taskId: task, title: 'Write the launch page' }];
const withoutSecret = { WM_WEBHOOK_SECRET: undefined, WM_TOKEN_STORE: 'file' };

test('a delivery is stored, acknowledged and forwarded with its own bytes and headers', async (context) => {
  const target = await startTarget(context);
  const listener = await listen(context, `--json --forward-to ${target.url}`);
  assert.equal(await deliver(listener, statusChanged, { key: 'key-1' }), 200);
  const stored = await listener.next('stored');
  assert.deepEqual(
    [stored['sequence'], stored['events'], stored['ids'], stored['title'], stored['signature']],
    [1, ['TaskStatusChanged'], [task], 'Write the launch page', 'valid'],
  );
  assert.ok(Number.isInteger(stored['milliseconds']), `${stored['milliseconds']} is not whole`);
  const { target: name, outcome, verdict } = await listener.next('attempt');
  assert.deepEqual([name, outcome, verdict], [target.url, '200', 'forwarded']);
  const [forwarded] = target.received;
  assert.equal(forwarded?.body, JSON.stringify(statusChanged));
  assert.equal(forwarded.headers['idempotency-key'], 'key-1');
  assert.equal(forwarded.headers['x-wm-delivery'], '1');
  const { status, errors } = await listener.stop();
  assert.equal(status, 0);
  assert.match(errors, /^1 received, 1 forwarded\.$/m);
  const last = listener.records().at(-1);
  assert.deepEqual([last?.['kind'], last?.['received'], last?.['waiting']], ['ended', 1, 0]);
});

test('the next run forwards the rest, in order', async (context) => {
  const first = await listen(context, '--json --forward-to http://127.0.0.1:1/hook --drain 0');
  for (const key of ['a', 'b', 'c'])
    assert.equal(await deliver(first, [{ eventType: 'TaskCreated', taskId: task, key }], { key }), 200);
  await first.next('target');
  const { errors } = await first.stop();
  assert.match(errors, /127\.0\.0\.1:1\/hook cannot be reached \(connect ECONNREFUSED 127\.0\.0\.1:1\)/);
  assert.match(
    errors,
    /^3 received, 3 waiting\. The next wm webhook listen forwards the waiting deliveries\.$/m,
  );
  const target = await startTarget(context);
  const second = await listen(context, `--json --forward-to ${target.url}`, { folder: first.folder });
  assert.equal((await second.next('listening'))['waiting'], 3);
  await target.has(3);
  assert.deepEqual(
    target.received.map(({ body }) => JSON.parse(body)[0].key),
    ['a', 'b', 'c'],
  );
  assert.equal((await second.stop()).status, 0);
});

test('a second receiver on the same journal says which process has it', async (context) => {
  const { folder } = await listen(context, '');
  const { status, errors } = await startListener(context, '', { folder }).ended;
  assert.equal(status, 1);
  assert.match(errors, new RegExp(`Another receiver uses the journal .*\\n.*process ${process.pid}`));
});

test('exits if the port is in use', async (context) => {
  const { folder, port } = await listen(context, '');
  const other = `--port ${port} --journal ${join(folder, 'other')}`;
  const { status, errors } = await startListener(context, other, { folder }).ended;
  assert.equal(status, 2);
  assert.match(errors, new RegExp(`cannot listen on 127\\.0\\.0\\.1 port ${port}\\n.*another program`));
});

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ family }) => family === 'IPv6'),
);

test('shows an IPv6 address in brackets; the health path responds', { skip: !hasIpv6 }, async (context) => {
  const { port, errors } = await listen(context, '--host :: --health-path /up');
  assert.match(errors, new RegExp(`^Listening on http://\\[::1\\]:${port}/ \\(Ctrl-C ends it\\)$`, 'm'));
  assert.equal((await fetch(`http://127.0.0.1:${port}/up`)).status, 200);
});

test('--secret-of accepts a label of one word', async (context) => {
  const { wm, folder, environment } = await emulated(context);
  const inFile = { environment: { WM_TOKEN_STORE: 'file' } };
  const { output } = await wm(['webhook', 'create', 'http://hooks.example.com/in', '--json', '--no-verify']);
  const { id } = JSON.parse(output);
  assert.equal((await wm(['webhook', 'label', id, 'pay'])).status, 0);
  const store = ['webhook', 'secret', id, '--store', '--secret-stdin'];
  assert.equal((await wm(store, { ...inFile, input: secret })).status, 0);
  const listener = await listen(context, '--secret-of pay', {
    folder: join(folder, 'config'),
    environment: { ...environment, ...withoutSecret },
  });
  assert.equal(await deliver(listener, [{ eventType: 'TaskCreated' }]), 200);
});

test('without a target, prints columns in a pipe, payloads with --json, and only the selected events', async (context) => {
  const piped = await listen(context, '');
  await deliver(piped, statusChanged);
  const [, sequence, ...cells] =
    (await piped.prints(/\tdelivery\t(\d+)\t(.*)\t(.*)\t(.*)\t(.*)\t\t\t$/m)) ?? [];
  assert.deepEqual([sequence, ...cells], ['1', 'TaskStatusChanged', task, 'Write the launch page', 'valid']);
  await piped.stop();
  const listener = await listen(context, '--json --print comment,TaskCreated', { folder: piped.folder });
  await deliver(listener, statusChanged);
  const created = { eventType: 'TaskCreated', taskId: task };
  await deliver(listener, [created]);
  const printed = await listener.next('delivery');
  assert.deepEqual([printed['sequence'], printed['payload']], [3, [created]]);
  const { status, errors } = await listener.stop();
  assert.equal(status, 0);
  assert.match(errors, /^2 received\.$/m);
});

test('--exec runs for each delivery; its exit status decides, and its output is shown', async (context) => {
  const script = `cat; echo " for #$WM_DELIVERY, attempt $WM_ATTEMPT" >&2; test "$WM_ATTEMPT" = 2`;
  const listener = await listen(context, ['--json', '--exec', script]);
  await deliver(listener, statusChanged);
  const first = await listener.next('attempt');
  assert.deepEqual([first['target'], first['outcome'], first['verdict']], ['exec', 'exit 1', 'retry']);
  assert.ok(Number.isInteger(first['delay']), `${first['delay']} is not whole milliseconds`);
  const second = await listener.next('attempt');
  assert.deepEqual([second['attempt'], second['outcome'], second['verdict']], [2, 'exit 0', 'forwarded']);
  const { errors } = await listener.stop();
  assert.ok(errors.includes(JSON.stringify(statusChanged)), errors);
  assert.match(errors, /for #1, attempt 2/);
});

test('a routed event goes to its URL, with the given headers; all others go to --forward-to', async (context) => {
  const folder = await ownFolder(context);
  const [rest, created] = [await startTarget(context), await startTarget(context)];
  await writeFile(join(folder, 'token'), 'Bearer a-token-of-the-target\n');
  const flags = ['--forward-to', rest.url, '--route', `taskcreated=${created.url},comment=${created.url}`];
  const authorization = ['--forward-header', `Authorization: @${join(folder, 'token')}`];
  const listener = await listen(
    context,
    [...flags, ...authorization, '--forward-header', 'X-Source: wm', '--json'],
    { folder },
  );
  await deliver(listener, [{ eventType: 'TaskCreated', taskId: 'A' }]);
  await deliver(listener, [{ eventType: 'TaskDeleted', taskId: 'B' }]);
  await deliver(listener, [
    { eventType: 'CommentAdded', taskId: 'C' },
    { eventType: 'TaskDeleted', taskId: 'C' },
  ]);
  await Promise.all([created.has(2), rest.has(2)]);
  const { headers } = created.received[0] ?? {};
  assert.deepEqual([headers?.authorization, headers?.['x-source']], ['Bearer a-token-of-the-target', 'wm']);
  const { output, errors } = await listener.stop();
  assert.doesNotMatch(output + errors, /a-token-of-the-target/);
  const lastTarget = join(folder, 'state/deliveries/target.json');
  const remembered = JSON.parse(await readFile(lastTarget, 'utf8'));
  assert.equal(remembered.forwardTo, rest.url);
  assert.equal(remembered.routes[0].url, created.url);
  if (process.platform !== 'win32') assert.equal((await stat(lastTarget)).mode & 0o777, 0o600);
});

test('deliveries waiting for the route of an earlier run are not sent there without it, and wm says so', async (context) => {
  const target = await startTarget(context);
  const toTarget = `--json --drain 0 --forward-to ${target.url}`;
  const first = await listen(context, `${toTarget} --route TaskCreated=http://127.0.0.1:1/gone`);
  const both = [{ eventType: 'TaskCreated', taskId: task }, ...statusChanged];
  for (const key of ['a', 'b']) assert.equal(await deliver(first, both, { key }), 200);
  await target.has(2);
  await first.stop();
  const second = await listen(context, toTarget, { folder: first.folder });
  await second.prints(/^Delivery #1 also waited for a target of an earlier run .* wm webhook log 1$/m);
  const { errors } = await second.stop();
  assert.equal(errors.match(/also waited/g)?.length, 1, errors);
});

test('a repeated delivery is a duplicate, and is not forwarded again', async (context) => {
  const target = await startTarget(context);
  const listener = await listen(context, `--json --forward-to ${target.url}`);
  await deliver(listener, statusChanged, { key: 'key-1' });
  await listener.next('attempt');
  for (let again = 0; again < 2; again++) {
    assert.equal(await deliver(listener, statusChanged, { key: 'key-1' }), 200);
    assert.equal((await listener.next('duplicate'))['sequence'], 1);
  }
  const { errors } = await listener.stop();
  assert.match(errors, /^1 received, 2 duplicates, 1 forwarded\.$/m);
  assert.equal(target.received.length, 1);
});

test('--unauthorized responds with 401, and warns of the consequence', async (context) => {
  const listener = await listen(context, '--unauthorized');
  assert.equal(await deliver(listener, statusChanged, { secret: 'a wrong secret' }), 401);
  const { errors } = await listener.stop();
  assert.match(errors, /after one request with a wrong signature the service suspends/);
});

test('several secrets: from a variable, from files, from standard input; --unsigned needs none', async (context) => {
  const folder = await ownFolder(context);
  const [first, second, third] = ['the first of three secrets', 'the second secret', 'the third secret'];
  await writeFile(join(folder, 'one'), first);
  await writeFile(join(folder, 'two'), `${second}\n`);
  const files = `--secret-file ${join(folder, 'one')} --secret-file ${join(folder, 'two')}`;
  const listener = await listen(context, files, { folder });
  for (const each of [secret, first, second])
    assert.equal(await deliver(listener, [{ eventType: 'TaskCreated' }], { secret: each }), 200);
  const { output, errors } = await listener.stop();
  for (const each of [secret, first, second]) assert.ok(!(output + errors).includes(each));
  const environment = { WM_WEBHOOK_SECRET: undefined };
  const input = { readAll: async () => Buffer.from(`${third}\n`) };
  const reading = await listen(context, '--secret-stdin', { folder, environment, input });
  assert.equal(await deliver(reading, statusChanged), 503);
  assert.equal(await deliver(reading, statusChanged, { secret: third }), 200);
  await reading.stop();
  const unsigned = await listen(context, '--json --unsigned', { folder, environment });
  assert.equal(await deliver(unsigned, statusChanged, { headers: { 'X-Hook-Signature': '' } }), 200);
  assert.equal((await unsigned.next('delivery'))['signature'], 'unsigned');
});

test('without a secret, creates one, stores it and reuses it; it can be printed', async (context) => {
  const first = await listen(context, '', { environment: withoutSecret });
  const setting = { folder: first.folder, environment: withoutSecret };
  assert.match(first.errors, /stored as plain text in .*webhook-secrets[\s\S]*^ {2}secret: {2}a new one$/m);
  assert.match(first.errors, /wm webhook secret --receiver --show --yes \| wm webhook create/);
  await first.stop();
  const { output } = await first.wm('webhook secret --receiver --show');
  assert.match(output, /^[\da-f]{64}\n$/);
  const second = await listen(context, '--json', setting);
  assert.doesNotMatch(second.errors, /a new one/);
  assert.equal(await deliver(second, statusChanged, { secret: output.trim() }), 200);
  const last = await second.stop();
  assert.ok(!(last.output + last.errors).includes(output.trim()));
  const unsigned = await listen(context, '--json --unsigned', setting);
  assert.equal(await deliver(unsigned, [{ eventType: 'TaskCreated' }], { secret: output.trim() }), 200);
  assert.equal((await unsigned.next('delivery'))['signature'], 'valid');
  assert.equal(await deliver(unsigned, statusChanged, { secret: 'another secret' }), 503);
});

test('Ctrl-C waits for the delivery in flight; a second one does not', async (context) => {
  const target = await startTarget(context);
  target.hold();
  const flags = `--json --forward-to ${target.url} --drain 600`;
  const patient = await listen(context, flags);
  await deliver(patient, statusChanged);
  await target.has(1);
  patient.interrupt();
  // On the connection that is open; there is no new one.
  assert.equal(await deliver(patient, [{ eventType: 'TaskCreated', taskId: 'other' }]), 200);
  await target.has(2);
  await assert.rejects(deliver(patient, statusChanged));
  target.release();
  assert.equal((await patient.ended).status, 0);
  target.hold();
  const hasty = await listen(context, flags, { folder: patient.folder });
  await deliver(hasty, statusChanged);
  await target.has(3);
  hasty.interrupt('SIGTERM');
  hasty.interrupt('SIGTERM');
  const ended = await hasty.ended;
  assert.equal(ended.status, 143);
  assert.match(ended.errors, /They are stored: the next wm webhook listen forwards them\./);
});

test('an unwritable output is a warning: deliveries are still stored and forwarded', async (context) => {
  const target = await startTarget(context);
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { name: 'UnwritableOutput' });
  const output = { write: () => Promise.reject(full) };
  const listener = await listen(context, `--forward-to ${target.url}`, { output });
  for (const key of ['a', 'b']) await deliver(listener, [{ ...statusChanged[0], key }]);
  await target.has(2);
  await listener.prints(/Cannot write the lines: ENOSPC/);
  const { status, errors } = await listener.stop();
  assert.equal(status, 0);
  assert.equal(errors.match(/Cannot write the lines/g)?.length, 1);
});

test('a disk that is full at the start: warns once, before any delivery, with what to do', async (context) => {
  const folder = await ownFolder(context);
  let isFull = true;
  const files = diskWithRoom(folder, () => !isFull);
  const listener = await listen(context, '--forward-to http://127.0.0.1:1/', { folder, world: { files } });
  const send = (at: number) => deliver(listener, [{ ...statusChanged[0], at }]);
  assert.match(
    listener.errors,
    /^Cannot store deliveries: Cannot write .*: no space is left on the disk \(ENOSPC\)\. wm responds with 503 until it can\. .* Free some space on that disk: wm then continues by itself\.\n[\s\S]*Listening on /m,
  );
  for (const at of [1, 2]) assert.equal(await send(at), 503);
  isFull = false;
  assert.equal(await send(3), 200);
  await listener.prints(/Deliveries can be stored again/);
  isFull = true;
  assert.equal(await send(4), 503);
  await listener.prints(/Deliveries can be stored again[\s\S]*Cannot store deliveries/);
  isFull = false;
  const { errors } = await listener.stop();
  assert.equal(errors.match(/Cannot store deliveries/g)?.length, 2);
});

test('a delivery that is given up is a dead letter, and the hint has the command that sends it again', async (context) => {
  const target = await startTarget(context, (response) => void response.writeHead(500).end('no'));
  const listener = await listen(context, `--json --forward-to ${target.url} --max-attempts 1`);
  await deliver(listener, statusChanged);
  const { verdict, outcome, detail } = await listener.next('attempt');
  assert.deepEqual([verdict, outcome, detail], ['dead', '500', 'no']);
  const { errors } = await listener.stop();
  assert.match(errors, /^1 received, 1 dead letter\.$/m);
  const again = await listener.wm([...printedCommand(errors, 'To send the dead letters again: '), '--yes']);
  assert.equal(target.received.length, 2, again.errors);
});

test('--retry-for: during an outage, retries end after that time; an explicit --max-attempts overrides it', async (context) => {
  const target = await startTarget(context, 500);
  const attemptsOf = async (typed: string) => {
    const listener = await listen(context, `--json --forward-to ${target.url} --retry-for 500ms ${typed}`);
    await deliver(listener, [{ eventType: 'TaskCreated', taskId: 'A1' }]);
    await listener.prints(/"verdict":"dead"/);
    await listener.stop();
    return listener.records().flatMap(({ kind, verdict }) => (kind === 'attempt' ? verdict : []));
  };
  assert.deepEqual(await attemptsOf(''), ['retry', 'dead']);
  assert.deepEqual(await attemptsOf('--max-attempts 3'), ['retry', 'retry', 'dead']);
});

test('a dead letter of a command: the hint repeats the command, and log --stuck has a placeholder for it', async (context) => {
  const listener = await listen(context, ['--json', '--exec', 'exit 3', '--max-attempts', '1']);
  await deliver(listener, statusChanged);
  assert.equal((await listener.next('attempt'))['verdict'], 'dead');
  const { errors } = await listener.stop();
  const again = await listener.wm([...printedCommand(errors, 'To send the dead letters again: '), '--yes']);
  assert.equal(again.status, 8, again.errors);
  const stuck = await listener.wm('webhook log --stuck');
  assert.match(stuck.errors, /again: wm webhook replay --dead-letters --exec COMMAND$/m);
});

test('--forward-ca: a target whose certificate only that file can verify', async (context) => {
  const folder = await ownFolder(context);
  const bodies: string[] = [];
  const target = createServer({ key, cert: certificate }, async (request, response) => {
    bodies.push(await text(request));
    response.end();
  });
  context.after(() => target.close());
  await writeFile(join(folder, 'ca.pem'), certificate);
  const flags = `--json --forward-to https://127.0.0.1:${await listening(target)}/`;
  const untrusting = await listen(context, flags, { folder });
  await deliver(untrusting, statusChanged);
  await untrusting.next('target');
  assert.deepEqual(bodies, []);
  await untrusting.stop();
  const trusting = await listen(context, `${flags} --forward-ca ${join(folder, 'ca.pem')}`, { folder });
  assert.equal((await trusting.next('attempt'))['verdict'], 'forwarded');
  assert.deepEqual(bodies, [JSON.stringify(statusChanged)]);
});

test('--forward-host sets the Host header, and --forward-timeout the time limit of an attempt', async (context) => {
  const target = await startTarget(context);
  const { http } = createWorld();
  const limits: (number | undefined)[] = [];
  const recording: Http = {
    send(request, options) {
      limits.push(options.timeoutMs);
      return http.send(request, options);
    },
  };
  const flags = `--forward-to ${target.url} --forward-host app.example --forward-timeout 7`;
  const listener = await listen(context, flags, { world: { http: recording } });
  await deliver(listener, statusChanged);
  await target.has(1);
  assert.equal(target.received[0]?.headers.host, 'app.example');
  assert.deepEqual(limits, [7_000]);
});

test('--concurrency limits how many deliveries are forwarded at once, even of different tasks', async (context) => {
  const held: ServerResponse[] = [];
  const target = await startTarget(context, (response) => void held.push(response));
  const listener = await listen(context, `--forward-to ${target.url} --concurrency 2`);
  const send = (taskId: string) => deliver(listener, [{ eventType: 'TaskCreated', taskId }]);
  for (const taskId of ['A', 'B', 'C', 'D', 'E', 'F']) assert.equal(await send(taskId), 200);
  await target.has(2);
  // By now more could have been forwarded.
  await send('G');
  assert.equal(target.received.length, 2);
  for (let at = 0; at < 7; at++) {
    await target.has(at + 1);
    held[at]?.end();
  }
  assert.match((await listener.stop()).errors, /^7 received, 7 forwarded\.$/m);
});

test('--keep-days removes older finished deliveries', async (context) => {
  const logged = async (flags: string) => {
    const folder = await ownFolder(context);
    const clock = createTestClock();
    for (let day = 1; day <= 4; day++) {
      const listener = await listen(context, `--json ${flags}`, { folder, world: { clock } });
      await deliver(listener, statusChanged, { key: String(day) });
      await listener.next('delivery');
      await listener.stop();
      // Each file of the journal holds the deliveries of one day.
      clock.advance(86_400_001);
    }
    return firstCells(
      (await run(['webhook', 'log', '-q'], { environment: { WM_CONFIG_DIR: folder } })).output,
    );
  };
  assert.deepEqual(await logged(''), ['1', '2', '3', '4']);
  assert.deepEqual(await logged('--keep-days 1'), ['3', '4']);
});

test('--give-up-after: a delivery that waited that long for an unreachable target is a dead letter', async (context) => {
  const clock = createTestClock();
  const flags = '--json --forward-to http://127.0.0.1:1/ --give-up-after 2h';
  const listener = await listen(context, flags, { world: { clock } });
  await deliver(listener, statusChanged);
  await listener.next('target');
  clock.advance(2 * 3_600_000);
  assert.equal((await listener.next('attempt'))['verdict'], 'dead');
});

test('with --journal, each command in a hint includes it', async (context) => {
  const target = await startTarget(context, 500);
  // The usual journal has a secret, too.
  const usual = await listen(context, '', { environment: withoutSecret });
  await usual.stop();
  const other = join(usual.folder, 'a journal');
  const listener = await listen(
    context,
    ['--forward-to', target.url, '--max-attempts', '1', '--journal', other],
    { folder: usual.folder, environment: withoutSecret },
  );
  await listener.prints(
    /wm webhook secret --receiver --journal '.*a journal' --show --yes \| wm webhook create/,
  );
  const { output } = await usual.wm(['webhook', 'secret', '--receiver', '--journal', other, '--show']);
  assert.equal(await deliver(listener, statusChanged, { secret: output.trim() }), 200);
  const [, command] = await listener.prints(/To send the dead letters again: (.*)\n/);
  assert.equal(command, `wm webhook replay --dead-letters --journal '${other}'`);
  const nothing = await usual.wm(`webhook log --journal ${join(usual.folder, 'none')}`);
  assert.match(nothing.errors, /To receive deliveries: wm webhook listen --journal \S*none\n/);
});

test('on a terminal, a warning wraps between words, and never inside a command', async (context) => {
  const target = await startTarget(context, 500);
  const listener = await listen(context, `--forward-to ${target.url} --max-attempts 1`, { columns: 60 });
  await deliver(listener, statusChanged);
  await listener.prints(/again:\s+wm webhook replay --dead-letters/);
  const { errors } = await listener.stop();
  const tooLong = errors.split('\n').filter((line) => line.length > 60 && !/^ +\S+$|`|^ {2}\S+: /.test(line));
  assert.deepEqual(tooLong, []);
});

for (const [what, change, found] of [
  [
    'ends within a delivery',
    (content: Buffer) => content.subarray(0, -1),
    /ended in an incomplete write, and \d+ bytes were cut off\. .*unless another program changed the file, no acknowledged delivery is missing/,
  ],
  [
    'ends with garbage',
    (content: Buffer) => Buffer.concat([content, Buffer.from('garbage')]),
    /ends with 7 bytes that cannot be read: an unfinished write, or acknowledged deliveries; wm cannot tell which\. It keeps these bytes/,
  ],
  [
    'is empty',
    () => Buffer.alloc(0),
    /is empty\. Either wm was ended when it began this file, and nothing is missing, or the deliveries in it are lost/,
  ],
] as const)
  test(`a journal whose last file ${what}: says what was found, and what that can mean`, async (context) => {
    const first = await listen(context, '');
    for (const key of ['a', 'b']) assert.equal(await deliver(first, statusChanged, { key }), 200);
    await first.stop();
    const path = join(first.folder, 'state/deliveries/0000000001.journal');
    await writeFile(path, change(await readFile(path)));
    const { errors } = await (await listen(context, '', { folder: first.folder })).stop();
    assert.match(errors, found);
    assert.ok(errors.includes(path), errors);
  });

test('--host 0.0.0.0: says that it listens on every address; with --quiet, --json still shows the port', async (context) => {
  const open = await listen(context, '--json --host 0.0.0.0');
  assert.match(open.errors, /^ {2}address: 0\.0\.0\.0, every address of this machine$/m);
  await open.prints(
    /^Other machines of its network can reach it\. For the service: --tunnel or --public-url/m,
  );
  assert.ok(!open.errors.includes('Only this machine'), open.errors);
  const { host, port, url } = await open.next('listening');
  assert.deepEqual([host, port, url], ['0.0.0.0', open.port, `http://127.0.0.1:${open.port}/`]);
  await open.stop();
  const quiet = startListener(context, '--json --quiet', { folder: open.folder });
  const ready = await quiet.next('listening');
  assert.equal(await deliver({ port: ready['port'] }, statusChanged), 200);
  assert.equal((await quiet.stop()).errors, '');
});
