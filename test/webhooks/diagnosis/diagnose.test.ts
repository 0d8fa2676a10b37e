// `wm webhook diagnose`: the most likely cause of the suspension comes first; and nothing that is secret
// is in the file for a ticket.

import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { inFront } from '#test/support/service/intercept.ts';
import type { CheckResult } from '#webhooks/verification/check-result.ts';
import { createFiles } from '#world/files.ts';
import {
  afterHandshakes,
  hmac,
  isHandshake,
  type Respond,
  respondRightly,
  secret,
  startReceiver,
} from '../verification/receivers.ts';
import { type Verifying, verifying } from '../verification/verified.ts';

const right = respondRightly();
const events = ['--events', 'TaskStatusChanged'];

async function diagnosed(service: Verifying, id: string, argv: readonly string[] = []) {
  const ran = await service.wm(['webhook', 'diagnose', id, '--within', '300', '--json', ...argv], {
    environment: { WM_WEBHOOK_SECRET: secret },
  });
  assert.equal(ran.status, 0, ran.errors);
  return JSON.parse(ran.output);
}

/** A webhook that was created while its receiver was right, unless a test says otherwise. */
async function withWebhook(context: TestContext, argv: readonly string[] = events, respond: Respond = right) {
  const service = await verifying(context);
  const receiver = await startReceiver(context, respond);
  const id = await service.create(receiver.url, argv, secret);
  return {
    ...service,
    receiver,
    id,
    diagnose: (...more: readonly string[]) => diagnosed(service, id, more),
    /** The service suspends it: a delivery gets this response. */
    async suspendFor(answer: Respond) {
      receiver.respond = answer;
      await service.wm(['task', 'update', 'IEAAAAAQKQAB5BNG', '--status', 'Completed']);
      await service.wm(['emulator', 'deliveries', '--settled']);
      const { output } = await service.wm(['webhook', 'get', id]);
      assert.equal(output.split('\t')[1], 'Suspended');
    },
  };
}

const gone: Respond = afterHandshakes(() => ({ status: 410 }));

test('suspended by the service for a 4xx: names the status', async (context) => {
  const { diagnose, suspendFor } = await withWebhook(context);
  await suspendFor(gone);
  const diagnosis = await diagnose();
  assert.match(diagnosis.cause, /^event TaskStatusChanged: 410: it says that it is gone for good/);
  assert.equal(diagnosis.next, 'Delete the webhook, or correct its URL.');
  assert.equal(diagnosis.webhook.status, 'Suspended');
});

test('suspended by the service, and the receiver works again', async (context) => {
  const { receiver, id, diagnose, suspendFor } = await withWebhook(context);
  await suspendFor(gone);
  receiver.respond = right;
  const diagnosis = await diagnose();
  assert.match(
    diagnosis.cause,
    /^the receiver works now\. It failed earlier, or someone suspended the webhook elsewhere/,
  );
  assert.equal(diagnosis.next, `To resume it: wm webhook resume ${id}`);
});

test('a receiver that signs for anyone fails a check, but is not the cause of a suspension', async (context) => {
  const forAnyone: Respond = (arrived) =>
    right({ ...arrived, headers: { ...arrived.headers, 'x-hook-signature': hmac(secret, arrived.body) } });
  const { receiver, diagnose, suspendFor } = await withWebhook(context, events, (arrived) =>
    isHandshake(arrived.body) ? forAnyone(arrived) : right(arrived),
  );
  const active = await diagnose();
  assert.match(active.cause, /^it is not suspended: .* fails\. forged handshake: .* signs for anyone$/);
  await suspendFor(() => ({ status: 410 }));
  receiver.respond = forAnyone;
  const { cause, checks } = await diagnose();
  assert.match(cause, /^the receiver works now\./);
  assert.equal(checks.find(({ check }: CheckResult) => check === 'forged handshake').outcome, 'fail');
});

test('does not blame the author of a note on a webhook that the service suspended', async (context) => {
  const { wm, receiver, id, diagnose, suspendFor } = await withWebhook(context);
  await suspendFor(gone);
  assert.equal((await wm(['webhook', 'suspend', id, '--note', 'ticket 4711', '--yes'])).status, 0);
  const failing = await diagnose();
  assert.match(failing.cause, /^handshake|^event.*410/);
  assert.doesNotMatch(failing.cause, /Ada Fields/);
  receiver.respond = right;
  assert.match((await diagnose()).cause, /^the receiver works now/);
});

test('sends the receiver nothing with --read-only, and says what it did not check', async (context) => {
  const { receiver, diagnose, suspendFor } = await withWebhook(context);
  await suspendFor(gone);
  receiver.arrived.length = 0;
  const { cause, next, webhook } = await diagnose('--read-only');
  assert.deepEqual(receiver.arrived, []);
  assert.equal(cause, 'not found: events could not be checked (--read-only was given)');
  assert.equal(next, 'Run it again without --read-only.');
  assert.equal(webhook.status, 'Suspended');
});

test('suspended by a user with wm', async (context) => {
  const { wm, environment, folder, receiver, id, diagnose } = await withWebhook(context);
  assert.equal((await wm(['webhook', 'suspend', id, '--yes'])).status, 0);
  const diagnosis = await diagnose();
  // Whoever reads a ticket reads it later.
  assert.match(diagnosis.cause, /^wm suspended it from this machine \(\d{4}-\d\d-\d\dT[\d:.]+Z\)$/);
  assert.equal(diagnosis.next, `To resume it: wm webhook resume ${id}`);
  assert.ok(diagnosis.history.some(({ command }: { command: string }) => command === 'webhook suspend'));
  receiver.respond = () => ({ status: 404 });
  const both = await diagnose();
  assert.match(
    both.cause,
    /^wm suspended it from this machine .*\. Its receiver would fail, too\. handshake: 404/,
  );
  // Its records still say who suspended it, even if the history cannot be read.
  const history = join(folder, 'config', 'state', 'history');
  const files = createFiles(environment, process.platform, folder);
  const stream = async (path: string) => {
    if (path.startsWith(history))
      throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO', syscall: 'open', path });
    return files.stream(path);
  };
  const ran = ['webhook', 'diagnose', id, '--within', '300', '--no-input', '--json'];
  const rest = await wm(ran, { world: { files: { ...files, stream } } });
  assert.match(rest.errors, /^Cannot read the history: /m);
  assert.match(JSON.parse(rest.output).cause, /^wm suspended it from this machine \(2/);
});

test('without the secret, the cause may stay unknown; says what to do', async (context) => {
  const { wm, receiver, id, suspendFor } = await withWebhook(context);
  await suspendFor(gone);
  receiver.respond = right;
  const ran = await wm(['webhook', 'diagnose', id, '--within', '300', '--json']);
  const diagnosis = JSON.parse(ran.output);
  assert.match(diagnosis.cause, /^not found: event(?:s| TaskStatusChanged) could not be checked/);
  assert.match(diagnosis.next, /WM_WEBHOOK_SECRET/);
});

test('--events: sends only samples of these', async (context) => {
  const { receiver, diagnose } = await withWebhook(context, ['--events', 'TaskCreated,TaskDeleted']);
  const sampled = async (...argv: readonly string[]) => {
    receiver.arrived.length = 0;
    await diagnose(...argv);
    return ['TaskCreated', 'TaskDeleted'].filter((name) =>
      receiver.arrived.some(({ body }) => body.includes(name)),
    );
  };
  assert.deepEqual(await sampled(), ['TaskCreated', 'TaskDeleted']);
  assert.deepEqual(await sampled('--events', 'TaskDeleted'), ['TaskDeleted']);
});

test('not suspended', async (context) => {
  const { receiver, diagnose } = await withWebhook(context);
  assert.equal((await diagnose()).cause, 'it is not suspended: its status is Active, and no check fails');
  receiver.respond = () => ({ status: 500 });
  assert.match(
    (await diagnose()).cause,
    /^it is not suspended: its status is Active, but a check from this machine fails. handshake: 500/,
  );
});

test('the ticket file contains no secret, and does not overwrite a file unasked', async (context) => {
  const service = await verifying(context);
  const receiver = await startReceiver(context, ({ body, headers }) => ({
    status: 400,
    body: `${secret} ${headers['x-hook-signature']} ${body}`,
  }));
  const id = await service.create(`${receiver.url}?token=4711-of-the-url#part`, events);
  const path = join(service.folder, 'bundle.json');
  const argv = ['--bundle', path];
  const diagnosis = await diagnosed(service, id, argv);
  const text = await readFile(path, 'utf8');
  for (const hidden of [secret, '4711-of-the-url', service.environment['WM_TOKEN'] ?? ''])
    assert.ok(!text.includes(hidden), hidden);
  const bundle = JSON.parse(text);
  assert.equal(bundle.cause, diagnosis.cause);
  assert.match(bundle.webhook.hookUrl, /\/hook\?\[redacted\]#\[redacted\]$/);
  assert.match(bundle.at, /^20\d\d-/);

  await writeFile(path, 'mine');
  const refused = await service.wm(['webhook', 'diagnose', id, ...argv]);
  assert.equal(refused.status, 2);
  assert.match(refused.errors, /bundle\.json exists\n {2}To replace it: --yes/);
  assert.equal(await readFile(path, 'utf8'), 'mine');
  await diagnosed(service, id, [...argv, '--yes']);
  assert.notEqual(await readFile(path, 'utf8'), 'mine');

  const folder = join(service.folder, 'folder');
  await mkdir(folder);
  const noFile = await service.wm(['webhook', 'diagnose', id, '--bundle', folder, '--yes']);
  assert.match(noFile.errors, /folder is not a file/);
  const inFile = await service.wm(['webhook', 'diagnose', id, '--bundle', join(path, 'more.json')]);
  assert.equal(inFile.status, 2, inFile.errors);
  assert.match(inFile.errors, /^wm: --bundle: cannot write .*more\.json\n/m);
});

test('names the fields that the record lacks', async (context) => {
  const service = await verifying(context);
  const id = 'IEAAAAAQJAAAAAAB';
  const host = await inFront(context, service.environment['WM_HOST'], (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ kind: 'webhooks', data: [{ id, accountId: 'IEAAAAAQ' }] }));
    return true;
  });
  const ran = await service.wm(['webhook', 'diagnose', id], {
    environment: { WM_HOST: host, WM_WEBHOOK_SECRET: secret },
  });
  assert.equal(ran.status, 0, ran.errors);
  assert.deepEqual(ran.output.split('\n'), [
    'likely cause\tits status is not known, and no check fails\t',
    'record\tno status, no URL\t',
    'since\tnot known: wm has not seen the change\t',
    'history\twm changed nothing from this machine\t',
    '',
  ]);
});
