// What `wm webhook apply` leaves on this machine: labels, statuses and secrets of the webhooks of the file, and nothing of those
// that it deleted.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { run } from '#test/support/program/program.ts';
import { receiverSecret, setStage } from '#test/support/terminal/stage.ts';
import { readLocal, writeLocal } from '../local-records.ts';
import { fileOf, withFile } from './with-file.ts';

const folder = 'scope: {folder: IEAAAAAQI4AB5FLD}';
const inFolder = (name: string, event: string, ...extraLines: readonly string[]) =>
  [`url: http://hooks.example.com/${name}`, folder, `events: [${event}]`, ...extraLines].join('\n');
const created = (name: string, event: string) =>
  [`http://hooks.example.com/${name}`, '--folder', 'IEAAAAAQI4AB5FLD', '--events', event] as const;

test('labels an existing webhook, and swaps the labels of two', async (context) => {
  const service = await withFile(context);
  const a = await service.create(...created('a', 'TaskCreated'));
  const b = await service.create(...created('b', 'TaskCreated'));
  const labelled = (first: string, second: string) =>
    fileOf(
      inFolder('a', 'TaskCreated', `label: ${first}`),
      inFolder('b', 'TaskCreated', `label: ${second}`, 'status: Suspended'),
      inFolder('c', 'TaskCreated', 'label: third'),
    );
  const file = await service.write(labelled('first', 'second'));
  const ran = await service.wm(['webhook', 'apply', file, '--yes']);
  assert.equal(ran.status, 0, ran.errors);
  assert.match(ran.errors, /Recorded 3 labels on this machine\./);
  const labels = async () => {
    const local = await readLocal(service.environment);
    return [a, b].map((id) => local[id]?.label);
  };
  assert.deepEqual(await labels(), ['first', 'second']);
  assert.equal((await service.wm(['webhook', 'get', 'third'])).status, 0);

  await service.write(labelled('second', 'first'));
  assert.equal((await service.diff()).status, 0, 'a label is nothing of the service');
  const again = await service.wm(['webhook', 'apply', file, '--yes']);
  assert.match(again.errors, /Nothing differs from the file/);
  assert.match(again.errors, /Recorded 2 labels on this machine\./);
  assert.deepEqual(await labels(), ['second', 'first']);
  const last = await service.wm(['webhook', 'apply', file, '--yes']);
  assert.doesNotMatch(last.errors, /Recorded/);
});

test('does not move a label from another webhook; the hint says how to change that', async (context) => {
  const service = await withFile(context);
  const otherId = await service.create(...created('other', 'TaskCreated'));
  const a = await service.create(...created('a', 'TaskCreated'));
  await writeLocal(service.environment, { [otherId]: { label: 'Billing' } });
  const file = await service.write(fileOf(inFolder('a', 'TaskCreated', 'label: billing')));
  const ran = await service.wm(['webhook', 'apply', file, '--yes']);
  assert.equal(ran.status, 0, ran.errors);
  assert.match(
    ran.errors,
    new RegExp(
      `Webhook ${a} does not get the label 'billing': webhook ${otherId} has it\\. To remove it there: wm webhook label ${otherId} --remove`,
    ),
  );
  assert.equal((await readLocal(service.environment))[a]?.label, undefined);
});

test('moves the label of a replaced webhook to its successor, and forgets the old webhook', async (context) => {
  const service = await withFile(context);
  const old = await service.create(...created('a', 'TaskCreated'));
  await writeLocal(service.environment, { [old]: { label: 'mine' } });
  const file = await service.write(fileOf(inFolder('a', 'TaskDeleted')));
  const ran = await service.wm(['webhook', 'apply', file, '--yes', '--json']);
  assert.equal(ran.status, 0, ran.errors);
  const [{ id }] = JSON.parse(ran.output);
  const local = await readLocal(service.environment);
  assert.deepEqual(Object.keys(local), [id]);
  assert.equal(local[id]?.label, 'mine');
  assert.deepEqual([local[id]?.observed?.status, local[id]?.observed?.byWm], ['Active', true]);
});

test('an indistinguishable webhook gets no label and keeps its status; a label tells them apart', async (context) => {
  const service = await withFile(context, { mode: 'bare' });
  const a = await service.create(...created('a', 'TaskCreated'));
  const b = await service.create(...created('a', 'TaskDeleted'));
  const file = await service.write(
    fileOf(inFolder('a', 'TaskCreated', 'label: one'), inFolder('a', 'TaskDeleted', 'label: two')),
  );
  const ran = await service.wm(['webhook', 'apply', file, '--yes']);
  assert.equal(ran.status, 0, ran.errors);
  assert.doesNotMatch(ran.errors, /Recorded/);
  const suspended = fileOf(
    inFolder('a', 'TaskCreated', 'label: one', 'status: Active'),
    inFolder('a', 'TaskDeleted', 'label: two', 'status: Suspended'),
  );
  await service.write(suspended);
  const blocked = await service.wm(['webhook', 'apply', file, '--yes']);
  assert.equal(blocked.status, 2, blocked.errors);
  assert.match(blocked.errors, /cannot tell which webhook of this URL and scope should be Suspended/);
  assert.match(blocked.errors, /--replace-unknown/);

  // The first webhook that the service lists is the first of the file, unless the label says otherwise.
  await writeLocal(service.environment, { [a]: { label: 'two' } });
  const withLabel = await service.wm(['webhook', 'apply', file, '--yes']);
  assert.equal(withLabel.status, 0, withLabel.errors);
  const statusOf = async (id: string) => (await service.wm(['webhook', 'get', id])).output.split('\t')[1];
  assert.deepEqual([await statusOf(a), await statusOf(b)], ['Suspended', 'Active']);
  assert.equal((await readLocal(service.environment))[b]?.label, 'one');
});

test('apply and diff record the statuses they read; a dry run records none', async (context) => {
  const service = await withFile(context);
  const id = await service.create(...created('a', 'TaskCreated'));
  const file = await service.write(fileOf(inFolder('a', 'TaskCreated', 'status: Suspended')));
  await service.wm(['webhook', 'apply', file, '--dry-run']);
  await assert.rejects(readLocal(service.environment), { code: 'ENOENT' });
  await service.diff();
  assert.equal((await readLocal(service.environment))[id]?.observed?.status, 'Active');
  await service.wm(['webhook', 'apply', file, '--yes']);
  const { observed } = (await readLocal(service.environment))[id] ?? {};
  assert.deepEqual([observed?.status, observed?.byWm], ['Suspended', true]);
});

/** With a receiver that knows the secret. */
async function withReceiver(context: TestContext) {
  const { folder: home, environment } = await setStage(context);
  const file = join(home, 'hooks.yaml');
  const wm = async (argv: readonly string[], variables: Readonly<Record<string, string>> = {}) => {
    const ran = await run(argv, { environment: { ...environment, ...variables } });
    assert.ok(!`${ran.output}${ran.errors}`.includes(receiverSecret), 'the secret is shown');
    return ran;
  };
  const create = async (name: string, ...flags: readonly string[]) => {
    const made = await wm(['webhook', 'create', ...created(name, 'TaskCreated'), '--json', '-q', ...flags], {
      WM_WEBHOOK_SECRET: receiverSecret,
    });
    assert.equal(made.status, 0, made.errors);
    return JSON.parse(made.output).id;
  };
  const isStored = async (id: string) =>
    (await wm(['webhook', 'secret', id])).output.split('\t')[1] === 'stored';
  return { file, wm, create, isStored, environment };
}

test('applies an export with a stored secret unedited, and stores the secret for a successor', async (context) => {
  const { file, wm, create, isStored } = await withReceiver(context);
  const old = await create('a', '--store-secret');
  const unstored = await create('b');
  const exported = await wm(['webhook', 'export']);
  assert.match(exported.output, new RegExp(`^ {4}secret: \\{stored: ${old}\\}$`, 'm'));
  assert.match(exported.output, /^# such as CI, name the variable .*: secret: \{variable: NAME\}$/m);
  assert.match(exported.output, new RegExp(`# ${unstored}, signed: name the variable with its secret`));
  await writeFile(file, exported.output);
  const same = await wm(['webhook', 'apply', file, '--yes']);
  assert.equal(same.status, 0, same.errors);
  assert.match(same.errors, /Nothing differs from the file/);

  await writeFile(file, exported.output.replace('TaskCreated', 'TaskDeleted'));
  const replaced = await wm(['webhook', 'apply', file, '--yes', '--json']);
  assert.equal(replaced.status, 0, replaced.errors);
  const [{ id, replaced: replacedId }] = JSON.parse(replaced.output);
  assert.equal(replacedId, old);
  assert.ok(await isStored(id), 'verify and trigger find it');
  assert.ok(await isStored(old), 'the file still names it');
  const again = await wm(['webhook', 'apply', file, '--yes']);
  assert.match(again.errors, /Nothing differs from the file/);
});

test('removes the secret of a webhook it deleted, unless the file names it', async (context) => {
  const { file, wm, create, isStored } = await withReceiver(context);
  const named = await create('a', '--store-secret');
  const unnamed = await create('b', '--store-secret');
  await writeFile(file, fileOf(inFolder('c', 'TaskCreated', `secret: {stored: ${named}}`)));
  const ran = await wm(['webhook', 'apply', file, '--yes', '--delete-others']);
  assert.equal(ran.status, 0, ran.errors);
  assert.deepEqual([await isStored(named), await isStored(unnamed)], [true, false]);
});

test('warns if a secret cannot be stored for the successor, or found by an export', async (context) => {
  const { file, create, environment } = await withReceiver(context);
  const old = await create('a', '--store-secret');
  const isLocked = { fault: 'locked', detail: 'nobody unlocked it' } as const;
  const locked = {
    read: async (_: string, account: string) =>
      account.startsWith(old) ? { secret: receiverSecret } : isLocked,
    write: async () => isLocked,
    remove: async (_: string, account: string) => ({ removed: account.startsWith(old) }),
  };
  const inKeychain = { environment: { ...environment, WM_TOKEN_STORE: 'keychain' } };
  await writeFile(file, fileOf(inFolder('a', 'TaskDeleted', `secret: {stored: ${old}}`)));
  const ran = await run(['webhook', 'apply', file, '--yes'], { ...inKeychain, world: { keychain: locked } });
  assert.equal(ran.status, 0, ran.errors);
  assert.match(ran.errors, /The secret of the new webhook \w+ was not stored: The keychain is locked/);
  assert.match(ran.errors, /To store it: wm webhook secret \w+ --store/);
  const exported = await run(['webhook', 'export'], { ...inKeychain, world: { keychain: locked } });
  assert.equal(exported.status, 0, exported.errors);
  assert.match(exported.errors, /Cannot see which secrets are stored: The keychain is locked/);
  const missing = { fault: 'missing', detail: 'no bus' } as const;
  const none = { read: async () => missing, write: async () => missing, remove: async () => missing };
  const without = await run(['webhook', 'export'], { ...inKeychain, world: { keychain: none } });
  assert.doesNotMatch(without.errors, /keychain/);
});
