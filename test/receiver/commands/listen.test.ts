// `wm webhook listen` as users run it: deliveries come in over HTTP, are stored, and are forwarded.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { networkInterfaces } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { test } from 'node:test';
import { createTestClock } from '#test/support/clock.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { printedCommand } from '#test/support/program/printed.ts';
import { run } from '#test/support/program/program.ts';
import { certificate, key } from '#test/support/service/certificate.ts';
import { listening } from '#test/support/service/listening.ts';
import { createWorld } from '#world/create-world.ts';
import { createFiles } from '#world/files.ts';
import type { Http } from '#world/world.ts';
import { deliver, listen, secret, startListener, startTarget } from '../listen/running-listener.ts';

const task = 'IEAAAAAQKQAB5BNG';
const statusChanged = [{ eventType: 'TaskStatusChanged', taskId: task, title: 'Write the launch page' }];
const json = ['--port', '0', '--json'];

test('a delivery is stored, acknowledged and forwarded with its own bytes and headers', async (context) => {
  const folder = await ownFolder(context);
  const target = await startTarget(context);
  const listener = await listen(context, [...json, '--forward-to', target.url], { folder });
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
  const folder = await ownFolder(context);
  const nobody = 'http://127.0.0.1:1/hook';
  const first = await listen(context, [...json, '--forward-to', nobody, '--drain', '0'], { folder });
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
  const second = await listen(context, [...json, '--forward-to', target.url], { folder });
  assert.equal((await second.next('listening'))['waiting'], 3);
  await target.has(3);
  assert.deepEqual(
    target.received.map(({ body }) => JSON.parse(body)[0].key),
    ['a', 'b', 'c'],
  );
  assert.equal((await second.stop()).status, 0);
});

test('a second receiver on the same journal says which process has it', async (context) => {
  const folder = await ownFolder(context);
  await listen(context, ['--port', '0'], { folder });
  const { status, errors } = await startListener(context, ['--port', '0'], { folder }).ended;
  assert.equal(status, 1);
  assert.match(errors, new RegExp(`Another receiver uses the journal .*\\n.*process ${process.pid}`));
});

test('exits if the port is in use', async (context) => {
  const folder = await ownFolder(context);
  const { port } = await listen(context, ['--port', '0'], { folder });
  const other = ['--port', `${port}`, '--journal', join(folder, 'other')];
  const { status, errors } = await startListener(context, other, { folder }).ended;
  assert.equal(status, 2);
  assert.match(errors, new RegExp(`cannot listen on 127\\.0\\.0\\.1 port ${port}\\n.*another program`));
});

test('exits if the address is not of this machine', async (context) => {
  const folder = await ownFolder(context);
  // Reserved for documentation (RFC 5737): no machine has it.
  const { status, errors } = await startListener(context, ['--port', '0', '--host', '192.0.2.1'], { folder })
    .ended;
  assert.equal(status, 2);
  assert.match(
    errors,
    /cannot listen on 192\.0\.2\.1 port 0\n.*\n {2}Give an address of this machine with --host\./,
  );
});

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ family }) => family === 'IPv6'),
);

test('shows an IPv6 address in brackets; the health path responds', {
  skip: !hasIpv6,
}, async (context) => {
  const folder = await ownFolder(context);
  const listener = await listen(context, ['--port', '0', '--host', '::', '--health-path', '/up'], { folder });
  assert.match(
    listener.errors,
    new RegExp(`^Listening on http://\\[::1\\]:${listener.port}/ \\(Ctrl-C ends it\\)$`, 'm'),
  );
  const health = await fetch(`http://127.0.0.1:${listener.port}/up`);
  assert.equal(health.status, 200);
});

test('--secret-of without a stored secret names the command that stores it', async (context) => {
  const folder = await ownFolder(context);
  const { status, errors } = await startListener(
    context,
    ['--port', '0', '--secret-of', 'IEAAAAAQJAAAAAAB'],
    {
      folder,
      environment: { WM_TOKEN_STORE: 'file' },
    },
  ).ended;
  assert.equal(status, 5);
  assert.match(
    errors,
    /No secret is stored for webhook IEAAAAAQJAAAAAAB\n.*wm webhook secret IEAAAAAQJAAAAAAB --store$/m,
  );
});

test('--secret-of accepts a label of one word', async (context) => {
  const service = await emulated(context);
  const fileStore = { WM_TOKEN_STORE: 'file' };
  const created = await service.wm([
    'webhook',
    'create',
    'http://hooks.example.com/in',
    '--json',
    '--no-verify',
  ]);
  const { id } = JSON.parse(created.output);
  assert.equal((await service.wm(['webhook', 'label', id, 'pay'])).status, 0);
  const stored = await service.wm(['webhook', 'secret', id, '--store', '--secret-stdin'], {
    input: secret,
    environment: fileStore,
  });
  assert.equal(stored.status, 0, stored.errors);
  const listener = await listen(context, ['--port', '0', '--secret-of', 'pay'], {
    folder: join(service.folder, 'config'),
    environment: { ...service.environment, ...fileStore, WM_WEBHOOK_SECRET: undefined },
  });
  assert.equal(await deliver(listener, [{ eventType: 'TaskCreated' }]), 200);
});

test('without a target, prints columns in a pipe, payloads with --json, and only the selected events', async (context) => {
  const folder = await ownFolder(context);
  const piped = await listen(context, ['--port', '0'], { folder });
  await deliver(piped, statusChanged);
  const [, sequence, ...cells] =
    (await piped.prints(/\tdelivery\t(\d+)\t(.*)\t(.*)\t(.*)\t(.*)\t\t\t$/m)) ?? [];
  assert.deepEqual([sequence, ...cells], ['1', 'TaskStatusChanged', task, 'Write the launch page', 'valid']);
  await piped.stop();
  const listener = await listen(context, [...json, '--print', 'comment,TaskCreated'], { folder });
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
  const folder = await ownFolder(context);
  const script = `cat; echo " for #$WM_DELIVERY, attempt $WM_ATTEMPT" >&2; test "$WM_ATTEMPT" = 2`;
  const listener = await listen(context, [...json, '--exec', script], { folder });
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
  const headers = [
    '--forward-header',
    `Authorization: @${join(folder, 'token')}`,
    '--forward-header',
    'X-Source: wm',
  ];
  const listener = await listen(context, [...json, ...flags, ...headers], { folder });
  await deliver(listener, [{ eventType: 'TaskCreated', taskId: 'A' }]);
  await deliver(listener, [{ eventType: 'TaskDeleted', taskId: 'B' }]);
  await deliver(listener, [
    { eventType: 'CommentAdded', taskId: 'C' },
    { eventType: 'TaskDeleted', taskId: 'C' },
  ]);
  await Promise.all([created.has(2), rest.has(2)]);
  const { authorization, 'x-source': source } = created.received[0]?.headers ?? {};
  assert.deepEqual([authorization, source], ['Bearer a-token-of-the-target', 'wm']);
  const { output, errors } = await listener.stop();
  assert.doesNotMatch(output + errors, /a-token-of-the-target/);
  const remembered = JSON.parse(await readFile(join(folder, 'state/deliveries/target.json'), 'utf8'));
  assert.equal(remembered.forwardTo, rest.url);
  assert.equal(remembered.routes[0].url, created.url);
});

test('deliveries waiting for the route of an earlier run are not sent there without it, and wm says so', async (context) => {
  const folder = await ownFolder(context);
  const target = await startTarget(context);
  const toTarget = [...json, '--drain', '0', '--forward-to', target.url];
  const gone = ['--route', 'TaskCreated=http://127.0.0.1:1/gone'];
  const first = await listen(context, [...toTarget, ...gone], { folder });
  const both = [{ eventType: 'TaskCreated', taskId: task }, ...statusChanged];
  for (const key of ['a', 'b']) assert.equal(await deliver(first, both, { key }), 200);
  await target.has(2);
  await first.stop();
  const second = await listen(context, toTarget, { folder });
  await second.prints(/^Delivery #1 also waited for a target of an earlier run .* wm webhook log 1$/m);
  const { errors } = await second.stop();
  assert.equal(errors.match(/also waited/g)?.length, 1, errors);
});

test('a repeated delivery is a duplicate, and is not forwarded again', async (context) => {
  const folder = await ownFolder(context);
  const target = await startTarget(context);
  const listener = await listen(context, [...json, '--forward-to', target.url], { folder });
  await deliver(listener, statusChanged, { key: 'key-1' });
  await listener.next('attempt');
  assert.equal(await deliver(listener, statusChanged, { key: 'key-1' }), 200);
  assert.equal((await listener.next('duplicate'))['sequence'], 1);
  const { errors } = await listener.stop();
  assert.match(errors, /^1 received, 1 duplicate, 1 forwarded\.$/m);
  assert.equal(target.received.length, 1);
});

test('a request signed with no known secret gets 503, one warning and is counted', async (context) => {
  const folder = await ownFolder(context);
  const listener = await listen(context, json, { folder });
  for (const wrong of ['one wrong secret', 'another wrong secret'])
    assert.equal(await deliver(listener, statusChanged, { secret: wrong }), 503);
  assert.equal((await listener.next('rejected'))['reason'], 'bad-signature');
  const { errors } = await listener.stop();
  assert.equal(errors.match(/has a signature that matches none of the secrets/g)?.length, 1);
  assert.match(errors, /^0 received, 2 rejected \(2 with a bad signature\)\.$/m);
});

test('--unauthorized responds with 401, and warns of the consequence', async (context) => {
  const folder = await ownFolder(context);
  const listener = await listen(context, [...json, '--unauthorized'], { folder });
  assert.equal(await deliver(listener, statusChanged, { secret: 'a wrong secret' }), 401);
  assert.match(
    (await listener.stop()).errors,
    /after one request with a wrong signature the service suspends/,
  );
});

test('several secrets: from a variable, from files; --unsigned needs none', async (context) => {
  const folder = await ownFolder(context);
  const [first, second] = ['the first secret of two', 'the second secret of two'];
  await writeFile(join(folder, 'one'), first);
  await writeFile(join(folder, 'two'), `${second}\n`);
  const files = ['--secret-file', join(folder, 'one'), '--secret-file', join(folder, 'two')];
  const listener = await listen(context, [...json, ...files], { folder });
  for (const each of [secret, first, second])
    assert.equal(await deliver(listener, [{ eventType: 'TaskCreated' }], { secret: each }), 200);
  const { output, errors } = await listener.stop();
  for (const each of [secret, first, second]) assert.ok(!(output + errors).includes(each));
  const unsigned = await listen(context, [...json, '--unsigned'], {
    folder,
    environment: { WM_WEBHOOK_SECRET: undefined },
  });
  assert.equal(await deliver(unsigned, statusChanged, { headers: { 'X-Hook-Signature': '' } }), 200);
  assert.equal((await unsigned.next('delivery'))['signature'], 'unsigned');
});

test('without a secret, creates one, stores it and reuses it; it can be printed', async (context) => {
  const folder = await ownFolder(context);
  const environment = { WM_WEBHOOK_SECRET: undefined, WM_TOKEN_STORE: 'file' };
  const first = await listen(context, json, { folder, environment });
  assert.match(first.errors, /stored as plain text in .*webhook-secrets[\s\S]*^ {2}secret: {2}a new one$/m);
  assert.match(first.errors, /wm webhook secret --receiver --show --yes \| wm webhook create/);
  await first.stop();
  const own = { WM_CONFIG_DIR: folder, WM_TOKEN_STORE: 'file' };
  const { output } = await run(['webhook', 'secret', '--receiver', '--show'], { environment: own });
  assert.match(output, /^[\da-f]{64}\n$/);
  const second = await listen(context, json, { folder, environment });
  assert.doesNotMatch(second.errors, /a new one/);
  assert.equal(await deliver(second, statusChanged, { secret: output.trim() }), 200);
  const last = await second.stop();
  assert.ok(!(last.output + last.errors).includes(output.trim()));
  const unsigned = await listen(context, [...json, '--unsigned'], { folder, environment });
  assert.equal(await deliver(unsigned, [{ eventType: 'TaskCreated' }], { secret: output.trim() }), 200);
  assert.equal((await unsigned.next('delivery'))['signature'], 'valid');
  assert.equal(await deliver(unsigned, statusChanged, { secret: 'another secret' }), 503);
});

test('Ctrl-C waits for the delivery in flight; a second one does not', async (context) => {
  const folder = await ownFolder(context);
  const held: ServerResponse[] = [];
  const target = await startTarget(context, (response) => void held.push(response));
  const flags = [...json, '--forward-to', target.url, '--drain', '600'];
  const patient = await listen(context, flags, { folder });
  await deliver(patient, statusChanged);
  await target.has(1);
  patient.interrupt();
  // On the connection that is open; there is no new one.
  assert.equal(await deliver(patient, [{ eventType: 'TaskCreated', taskId: 'other' }]), 200);
  await target.has(2);
  await assert.rejects(deliver(patient, statusChanged));
  for (const response of held.splice(0)) response.end();
  const { status } = await patient.ended;
  assert.equal(status, 0);
  const hasty = await listen(context, flags, { folder });
  await deliver(hasty, statusChanged);
  await target.has(3);
  hasty.interrupt('SIGTERM');
  hasty.interrupt('SIGTERM');
  const ended = await hasty.ended;
  assert.equal(ended.status, 143);
  assert.match(ended.errors, /They are stored: the next wm webhook listen forwards them\./);
});

test('exits with 0 once its output has no reader', async (context) => {
  const folder = await ownFolder(context);
  const listener = await listen(context, ['--port', '0'], { folder, output: { isReaderGone: true } });
  assert.equal(await deliver(listener, statusChanged), 200);
  const { status, errors } = await listener.ended;
  assert.equal(status, 0);
  assert.match(errors, /1 received, 1 waiting/);
});

test('an unwritable output is a warning: deliveries are still stored and forwarded', async (context) => {
  const folder = await ownFolder(context);
  const target = await startTarget(context);
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { name: 'UnwritableOutput' });
  const listener = await listen(context, ['--port', '0', '--forward-to', target.url], {
    folder,
    output: { write: () => Promise.reject(full) },
  });
  for (const key of ['a', 'b']) await deliver(listener, [{ ...statusChanged[0], key }]);
  await target.has(2);
  await listener.prints(/Cannot write the lines: ENOSPC/);
  const { status, errors } = await listener.stop();
  assert.equal(status, 0);
  assert.equal(errors.match(/Cannot write the lines/g)?.length, 1);
});

for (const [flags, message] of [
  [['--unsigned', '--unauthorized'], '--unsigned and --unauthorized cannot be combined'],
  [['--path', '/a', '--health-path', '/a'], '--path and --health-path are the same'],
  [['--path', 'hook'], '"hook" is not a path without a query'],
  [['--host', 'hooks.example.com'], '"hooks.example.com" is not an address of this machine'],
  [['--max-size', '1MB'], '"1MB" is not a size of at least 64MB'],
  [['--max-size', 'much'], '"much" is not a size'],
  [['--forward-to', 'hooks.example.com'], '"hooks.example.com" is not an http or https URL'],
  [['--forward-host', 'a.example'], '--forward-host needs a URL'],
  [['--forward-host', 'a b'], '--forward-host: "a b" is not a host'],
  [['--forward-timeout', '5'], '--forward-timeout needs --forward-to, --route or --exec'],
  [['--route', 'TaskCreated'], '"TaskCreated" is not of the form EVENT=URL'],
  [['--route', 'TaskCreate=http://a.example'], '--route: "TaskCreate" is not an event'],
  [['--print', 'TaskCreate'], '--print: "TaskCreate" is not an event'],
  [
    ['--route', 'TaskCreated=http://a.example,TaskCreated=http://b.example'],
    'is routed to http://a.example and to http://b.example',
  ],
  [
    ['--forward-to', 'http://a.example', '--forward-header', 'Authorization: Bearer x'],
    'Authorization holds a secret',
  ],
  [['--forward-to', 'http://a.example', '--forward-header', 'Host: x'], 'Host has a flag of its own'],
  [
    ['--forward-to', 'http://a.example', '--forward-header', 'Content-Length: 5'],
    'wm itself sends Content-Length',
  ],
  [
    ['--forward-to', 'http://a.example', '--forward-header', 'X_Wm_Delivery: 5'],
    'wm itself sends X_Wm_Delivery',
  ],
  [['--forward-to', 'http://a.example', '--forward-header', 'no colon'], 'is not of the form NAME:VALUE'],
  [
    ['--forward-to', 'http://a.example', '--forward-header', 'X-A: 1', '--forward-header', 'x-a: 2'],
    'x-a is given twice',
  ],
  [['--forward-to', 'http://a.example', '--forward-header', 'X-A: ✓'], 'a value that no header can hold'],
] as const)
  test(`a usage error: ${flags.join(' ')}`, async (context) => {
    const folder = await ownFolder(context);
    const { status, output, errors } = await startListener(context, ['--port', '0', ...flags], { folder })
      .ended;
    assert.equal(status, 2, errors);
    assert.equal(output, '');
    assert.ok(errors.includes(message), errors);
  });

/** The real disk, which takes no more while it is full. */
function fillableDisk(folder: string) {
  const disk = { isFull: false };
  const real = createFiles({ WM_CONFIG_DIR: folder }, process.platform, folder);
  const files = {
    ...real,
    async append(...parameters: Parameters<typeof real.append>) {
      const file = await real.append(...parameters);
      const write: typeof file.write = (content) => {
        if (disk.isFull)
          throw Object.assign(new Error('ENOSPC: no space left on device, write'), {
            code: 'ENOSPC',
            syscall: 'write',
          });
        file.write(content);
      };
      return Object.assign(Object.create(file), { write });
    },
  };
  return { disk, files };
}

test('a full disk: 503 and one warning, then 200 once there is room; no acknowledged delivery is lost', async (context) => {
  const folder = await ownFolder(context);
  const { disk, files } = fillableDisk(folder);
  const target = await startTarget(context);
  const listener = await listen(context, [...json, '--forward-to', target.url], { folder, world: { files } });
  assert.equal(await deliver(listener, [{ ...statusChanged[0], at: 1 }]), 200);
  disk.isFull = true;
  for (const at of [2, 3]) assert.equal(await deliver(listener, [{ ...statusChanged[0], at }]), 503);
  await listener.prints(/Cannot store deliveries: no space is left on the disk/);
  disk.isFull = false;
  assert.equal(await deliver(listener, [{ ...statusChanged[0], at: 4 }]), 200);
  await listener.prints(/Deliveries can be stored again/);
  await target.has(2);
  assert.deepEqual(
    target.received.map(({ body }) => JSON.parse(body)[0].at),
    [1, 4],
  );
  const { errors } = await listener.stop();
  assert.equal(errors.match(/Cannot store deliveries/g)?.length, 1);
  assert.match(errors, /^2 received, 2 rejected \(2 could not be stored\), 2 forwarded\.$/m);
});

test('a disk that is full at the start: warns once, before any delivery, with what to do', async (context) => {
  const folder = await ownFolder(context);
  const { disk, files } = fillableDisk(folder);
  disk.isFull = true;
  const listener = await listen(context, [...json, '--forward-to', 'http://127.0.0.1:1/'], {
    folder,
    world: { files },
  });
  assert.match(
    listener.errors,
    /^Cannot store deliveries: Cannot write .*: no space is left on the disk \(ENOSPC\)\. wm responds with 503 until it can\. .* Free some space on that disk: wm then continues by itself\.\n[\s\S]*Listening on /m,
  );
  for (const at of [1, 2]) assert.equal(await deliver(listener, [{ ...statusChanged[0], at }]), 503);
  disk.isFull = false;
  assert.equal(await deliver(listener, [{ ...statusChanged[0], at: 3 }]), 200);
  await listener.prints(/Deliveries can be stored again/);
  disk.isFull = true;
  assert.equal(await deliver(listener, [{ ...statusChanged[0], at: 4 }]), 503);
  await listener.prints(/Deliveries can be stored again[\s\S]*Cannot store deliveries/);
  disk.isFull = false;
  const { errors } = await listener.stop();
  assert.equal(errors.match(/Cannot store deliveries/g)?.length, 2);
});

test('an unwritable folder is an error that names it', async (context) => {
  const folder = await ownFolder(context);
  await writeFile(join(folder, 'file'), '');
  const journal = join(folder, 'file', 'journal');
  const { status, errors } = await startListener(context, ['--port', '0', '--journal', journal], { folder })
    .ended;
  assert.equal(status, 1, errors);
  assert.ok(errors.includes(join(folder, 'file')), errors);
});

test('a target that is down does not delay the end', async (context) => {
  const folder = await ownFolder(context);
  const flags = ['--forward-to', 'http://127.0.0.1:1/', '--drain', '600'];
  const listener = await listen(context, [...json, ...flags], { folder });
  await deliver(listener, statusChanged);
  await listener.next('target');
  const { status, errors } = await listener.stop();
  assert.equal(status, 0);
  assert.match(errors, /1 waiting\. The next wm webhook listen forwards/);
});

test('a delivery that is given up is a dead letter, and the hint has the command that sends it again', async (context) => {
  const folder = await ownFolder(context);
  const target = await startTarget(context, (response) => void response.writeHead(500).end('no'));
  const flags = ['--forward-to', target.url, '--max-attempts', '1'];
  const listener = await listen(context, [...json, ...flags], { folder });
  await deliver(listener, statusChanged);
  const { verdict, outcome, detail } = await listener.next('attempt');
  assert.deepEqual([verdict, outcome, detail], ['dead', '500', 'no']);
  const { errors } = await listener.stop();
  assert.match(errors, /^1 received, 1 dead letter\.$/m);
  const [, command = ''] = /To send the dead letters again: wm (.*)$/m.exec(errors) ?? [];
  const again = await run([...command.split(' '), '--yes'], { environment: { WM_CONFIG_DIR: folder } });
  assert.equal(target.received.length, 2, again.errors);
});

test('--retry-for: during an outage, retries end after that time; an explicit --max-attempts overrides it', async (context) => {
  const target = await startTarget(context, (response) => response.writeHead(500).end());
  const forwarding = ['--port', '0', '--json', '--forward-to', target.url, '--retry-for', '100ms'];
  const attemptsOf = async (...typed: readonly string[]) => {
    const listener = await listen(context, [...forwarding, ...typed], { folder: await ownFolder(context) });
    await deliver(listener, [{ eventType: 'TaskCreated', taskId: 'A1' }]);
    await listener.prints(/"verdict":"dead"/);
    const attempts = listener.records().filter(({ kind }) => kind === 'attempt');
    await listener.stop();
    return attempts.map(({ verdict }) => verdict);
  };
  assert.deepEqual(await attemptsOf(), ['retry', 'dead']);
  assert.deepEqual(await attemptsOf('--max-attempts', '3'), ['retry', 'retry', 'dead']);
});

test('a dead letter of a command: the hint repeats the command, and log --stuck has a placeholder for it', async (context) => {
  const folder = await ownFolder(context);
  const flags = ['--exec', 'exit 3', '--max-attempts', '1'];
  const listener = await listen(context, [...json, ...flags], { folder });
  await deliver(listener, statusChanged);
  assert.equal((await listener.next('attempt'))['verdict'], 'dead');
  const { errors } = await listener.stop();
  const environment = { WM_CONFIG_DIR: folder };
  const command = printedCommand(errors, 'To send the dead letters again: ');
  const again = await run([...command, '--yes'], { environment });
  assert.equal(again.status, 8, again.errors);
  const stuck = await run(['webhook', 'log', '--stuck'], { environment });
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
  const port = await listening(target);
  await writeFile(join(folder, 'ca.pem'), certificate);
  const flags = ['--forward-to', `https://127.0.0.1:${port}/`];
  const untrusting = await listen(context, [...json, ...flags], { folder });
  await deliver(untrusting, statusChanged);
  await untrusting.next('target');
  assert.deepEqual(bodies, []);
  await untrusting.stop();

  const trusting = await listen(context, [...json, ...flags, '--forward-ca', join(folder, 'ca.pem')], {
    folder,
  });
  assert.equal((await trusting.next('attempt'))['verdict'], 'forwarded');
  assert.deepEqual(bodies, [JSON.stringify(statusChanged)]);
  await trusting.stop();
});

test('--secret-stdin reads the secret from standard input', async (context) => {
  const folder = await ownFolder(context);
  const own = 'a secret from standard input';
  const listener = await listen(context, [...json, '--secret-stdin'], {
    folder,
    environment: { WM_WEBHOOK_SECRET: undefined },
    input: { readAll: async () => Buffer.from(`${own}\n`) },
  });
  assert.equal(await deliver(listener, statusChanged), 503);
  assert.equal(await deliver(listener, statusChanged, { secret: own }), 200);
});

test('--forward-host sets the Host header, and --forward-timeout the time limit of an attempt', async (context) => {
  const folder = await ownFolder(context);
  const target = await startTarget(context);
  const { http } = createWorld();
  const limits: (number | undefined)[] = [];
  const recording: Http = {
    send(request, options) {
      limits.push(options.timeoutMs);
      return http.send(request, options);
    },
  };
  const flags = ['--forward-to', target.url, '--forward-host', 'app.example', '--forward-timeout', '7'];
  const listener = await listen(context, [...json, ...flags], { folder, world: { http: recording } });
  await deliver(listener, statusChanged);
  await target.has(1);
  assert.equal(target.received[0]?.headers.host, 'app.example');
  assert.deepEqual(limits, [7_000]);
});

test('--concurrency limits how many deliveries are forwarded at once, even of different tasks', async (context) => {
  const folder = await ownFolder(context);
  const held: ServerResponse[] = [];
  const target = await startTarget(context, (response) => void held.push(response));
  const listener = await listen(context, [...json, '--forward-to', target.url, '--concurrency', '2'], {
    folder,
  });
  for (const taskId of ['A', 'B', 'C', 'D', 'E', 'F'])
    assert.equal(await deliver(listener, [{ eventType: 'TaskCreated', taskId }]), 200);
  await target.has(2);
  // By now more could have been forwarded.
  await deliver(listener, [{ eventType: 'TaskCreated', taskId: 'G' }]);
  assert.equal(target.received.length, 2);
  for (let at = 0; at < 7; at++) {
    await target.has(at + 1);
    held[at]?.end();
  }
  assert.match((await listener.stop()).errors, /^7 received, 7 forwarded\.$/m);
});

test('--keep-days removes older finished deliveries', async (context) => {
  const logged = async (...flags: readonly string[]) => {
    const folder = await ownFolder(context);
    const clock = createTestClock();
    for (let day = 1; day <= 4; day++) {
      const listener = await listen(context, [...json, ...flags], { folder, world: { clock } });
      await deliver(listener, statusChanged, { key: String(day) });
      await listener.next('delivery');
      await listener.stop();
      // Each file of the journal holds the deliveries of one day.
      clock.advance(86_400_001);
    }
    const log = await run(['webhook', 'log', '-q'], { environment: { WM_CONFIG_DIR: folder } });
    return log.output
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => line.split('\t')[0]);
  };
  assert.deepEqual(await logged(), ['1', '2', '3', '4']);
  assert.deepEqual(await logged('--keep-days', '1'), ['3', '4']);
});

test('--give-up-after: a delivery that waited that long for an unreachable target is a dead letter', async (context) => {
  const folder = await ownFolder(context);
  const clock = createTestClock();
  const flags = ['--forward-to', 'http://127.0.0.1:1/', '--give-up-after', '2h'];
  const listener = await listen(context, [...json, ...flags], { folder, world: { clock } });
  await deliver(listener, statusChanged);
  await listener.next('target');
  clock.advance(2 * 3_600_000);
  assert.equal((await listener.next('attempt'))['verdict'], 'dead');
  await listener.stop();
});

test('with --journal, each command in a hint includes it', async (context) => {
  const folder = await ownFolder(context);
  const other = join(folder, 'a journal');
  const environment = { WM_WEBHOOK_SECRET: undefined, WM_TOKEN_STORE: 'file' };
  const target = await startTarget(context, (response) => void response.writeHead(500).end());
  const flags = ['--forward-to', target.url, '--max-attempts', '1'];
  // The usual journal has a secret, too.
  await (await listen(context, json, { folder, environment })).stop();
  const listener = await listen(context, [...json, ...flags, '--journal', other], { folder, environment });
  const named = `--journal '${other}'`;
  await listener.prints(
    /wm webhook secret --receiver --journal '.*a journal' --show --yes \| wm webhook create/,
  );
  const typed = ['webhook', 'secret', '--receiver', '--journal', other, '--show'];
  const { output } = await run(typed, {
    environment: { WM_CONFIG_DIR: folder, WM_TOKEN_STORE: 'file' },
  });
  assert.equal(await deliver(listener, statusChanged, { secret: output.trim() }), 200);
  const [, command] = await listener.prints(/To send the dead letters again: (.*)\n/);
  assert.equal(command, `wm webhook replay --dead-letters ${named}`);
  await listener.stop();
  const nothing = await run(['webhook', 'log', '--journal', join(folder, 'none')], {
    environment: { WM_CONFIG_DIR: folder },
  });
  assert.match(nothing.errors, /To receive deliveries: wm webhook listen --journal \S*none\n/);
});

test('on a terminal, a warning wraps between words, and never inside a command', async (context) => {
  const folder = await ownFolder(context);
  const target = await startTarget(context, (response) => void response.writeHead(500).end());
  const flags = ['--port', '0', '--forward-to', target.url, '--max-attempts', '1'];
  const listener = await listen(context, flags, { folder, columns: 60 });
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
    const folder = await ownFolder(context);
    const first = await listen(context, json, { folder });
    for (const key of ['a', 'b']) assert.equal(await deliver(first, statusChanged, { key }), 200);
    await first.stop();
    const path = join(folder, 'state/deliveries/0000000001.journal');
    await writeFile(path, change(await readFile(path)));
    const second = await listen(context, json, { folder });
    const { errors } = await second.stop();
    assert.match(errors, found);
    assert.ok(errors.includes(path), errors);
  });

test('--host 0.0.0.0: says that it listens on every address; with --quiet, --json still shows the port', async (context) => {
  const folder = await ownFolder(context);
  const open = await listen(context, [...json, '--host', '0.0.0.0'], { folder });
  assert.match(open.errors, /^ {2}address: 0\.0\.0\.0, every address of this machine$/m);
  const { host, port, url } = await open.next('listening');
  assert.deepEqual([host, port, url], ['0.0.0.0', open.port, `http://127.0.0.1:${open.port}/`]);
  await open.stop();
  const quiet = startListener(context, [...json, '--quiet'], { folder });
  const ready = await quiet.next('listening');
  assert.equal(await deliver({ port: ready['port'] }, statusChanged), 200);
  assert.equal((await quiet.stop()).errors, '');
});
