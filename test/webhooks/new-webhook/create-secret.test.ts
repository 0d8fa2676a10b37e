// The secret of a new webhook: from a prompt, a file or generated, stored if asked for; and the local record of what the webhook
// was created with. test/transcript/webhook-new-secret.txt has flags that contradict each other, and a creation that fails.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createMemoryKeychain } from '#test/support/memory-keychain.ts';
import { type Emulated, emulated } from '#test/support/program/emulated.ts';
import { collectStreams, streamsOfFullDisk } from '#test/support/program/streams.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { receiverSecret, setStage } from '#test/support/terminal/stage.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { respondRightly, startReceiver } from '../verification/receivers.ts';

const space = 'IEAAAAAQI5AB5SPC';

/** A receiver that knows whatever secret the test gives it. */
async function knowing(context: TestContext, secretOf: () => string): Promise<string> {
  return (await startReceiver(context, (arrived) => respondRightly(secretOf())(arrived))).url;
}

async function localOf({ folder, emulator }: Emulated, id: string) {
  const name = `${emulator.host.replace(':', '_')}.json`;
  const text = await readFile(join(folder, 'config', 'state', 'webhooks', name), 'utf8');
  return { text, known: JSON.parse(text).webhooks[id] };
}

test('reads the secret from a file, stores it on request, and keeps it out of the record', async (context) => {
  const service = await emulated(context, { allowLocalHooks: true });
  const { wm, folder } = service;
  const secret = 'the secret of the file';
  const url = await knowing(context, () => secret);
  const path = join(folder, 'secret.txt');
  await writeFile(path, `${secret}\n`);
  const keychain = createMemoryKeychain();
  const setting = { world: { keychain }, environment: { WM_TOKEN_STORE: 'keychain' } };
  const scope = ['--space', space, '--recursive', '--events', 'TaskCreated'];
  const ran = await wm(
    ['webhook', 'create', url, ...scope, '--secret-file', path, '--store-secret', '--json'],
    setting,
  );
  assert.equal(ran.status, 0, ran.errors);
  const { id, local } = JSON.parse(ran.output);
  assert.equal(local, undefined);
  assert.deepEqual([...keychain.items], [[`${id}@${service.emulator.host}`, secret]]);
  const { text, known: record } = await localOf(service, id);
  assert.ok(!text.includes(secret));
  const { at, ...created } = record.created;
  assert.match(at, /^\d{4}-.*Z$/);
  assert.deepEqual(created, {
    hookUrl: url,
    signed: true,
    spaceId: space,
    recursive: true,
    events: ['TaskCreated'],
  });
  // Found by the URL too.
  const triggered = await wm(['webhook', 'trigger', 'TaskCreated', '--to', url], setting);
  assert.equal(triggered.errors, 'The service would count it as delivered.\n');
});

test('generated: printed first and once, and written to no file', async (context) => {
  const service = await emulated(context, { allowLocalHooks: true });
  const { streams, texts } = collectStreams();
  const url = await knowing(context, () => texts.output.trimEnd());
  const ran = await service.wm(['webhook', 'create', url, '--generate-secret'], { world: { streams } });
  assert.equal(ran.status, 0, texts.errors);
  const [secret = '', second = '', ...more] = texts.output.split('\n');
  assert.match(secret, /^[0-9a-f]{64}$/);
  const [id = ''] = second.split('\t');
  assert.deepEqual(more, ['']);
  assert.ok(!second.includes(secret));
  const { text, known: local } = await localOf(service, id);
  assert.ok(!text.includes(secret));
  assert.equal(local.created.signed, true);
});

test('generated, but it cannot be printed: says that no webhook was created', async (context) => {
  const { wm } = await emulated(context);
  const { streams, texts } = streamsOfFullDisk();
  const ran = await wm(['webhook', 'create', 'http://hooks.example.com/x', '--generate-secret'], {
    world: { streams },
  });
  assert.equal(ran.status, 1);
  assert.equal(texts.errors, 'wm: Cannot write the result\n  ENOSPC\n  No webhook was created.\n');
  assert.equal((await wm(['webhook', 'list', '-q'])).output, '');
});

test('generated, but the JSON with it is not printed: names the webhook, and what to do with it', async (context) => {
  const { wm } = await emulated(context, { allowLocalHooks: true });
  const secret = '07'.repeat(32);
  const url = await knowing(context, () => secret);
  const keychain = createMemoryKeychain();
  const create = async (...flags: readonly string[]) => {
    const { streams, texts } = streamsOfFullDisk();
    const ran = await wm(['webhook', 'create', url, '--generate-secret', '--yes', ...flags], {
      world: { streams, keychain, randomBytes: (count) => Buffer.alloc(count, 7) },
      environment: { WM_TOKEN_STORE: 'keychain' },
    });
    assert.equal(ran.status, 8, texts.errors);
    const { message, hint } = JSON.parse(texts.errors.trim().split('\n').at(-1) ?? '').error;
    const [, id = '', why = ''] =
      message.match(/^Webhook (\w+) was created, but its secret was not printed: (.*)$/) ?? [];
    return { id, why, hint };
  };
  const { id, ...lost } = await create('--json');
  const remove = `wm did not store it either. To delete the webhook: wm webhook delete ${id}`;
  assert.deepEqual(lost, { why: 'ENOSPC', hint: remove });
  assert.equal((await create('--jq', 'error("x")')).why, 'the filter of --jq failed: x');
  assert.equal(keychain.items.size, 0);
  const stored = await create('--json', '--store-secret');
  assert.equal(stored.hint, `To print it: wm webhook secret ${stored.id} --show`);
  assert.deepEqual([...keychain.items.values()], [secret]);
});

test('a store that fails before the creation', async (context) => {
  const { wm } = await emulated(context);
  const answer = async () => ({ fault: 'locked' as const, detail: 'by the test' });
  const locked = await wm(['webhook', 'create', 'http://hooks.example.com/x', '--store-secret'], {
    environment: { WM_TOKEN_STORE: 'keychain', WM_WEBHOOK_SECRET: receiverSecret },
    world: { keychain: { read: answer, write: answer, remove: answer } },
  });
  assert.equal(locked.status, 1, locked.errors);
  assert.match(locked.errors, /^wm: The keychain is locked/);
  assert.equal((await wm(['webhook', 'list', '-q'])).output, '');
});

test('a store that fails after the creation: exit 8, with the command that stores the secret', async (context) => {
  const { wm } = await emulated(context, { allowLocalHooks: true });
  const url = await knowing(context, () => receiverSecret);
  const keychain = {
    ...createMemoryKeychain(),
    write: async () => ({ fault: 'failed' as const, detail: 'by the test' }),
  };
  const ran = await wm(['webhook', 'create', url, '--store-secret'], {
    environment: { WM_TOKEN_STORE: 'keychain', WM_WEBHOOK_SECRET: receiverSecret },
    world: { keychain },
  });
  assert.equal(ran.status, 8, ran.errors);
  const [id = ''] = ran.output.split('\t');
  assert.ok(ran.errors.includes(`To store it: wm webhook secret ${id} --store\n`), ran.errors);
});

test('on a terminal: typed without echo, or generated and confirmed, TERM=xterm-256color', async (context) => {
  const stage = await setStage(context);
  const setting = { environment: { TERM: 'xterm-256color' } };
  const url = 'http://hooks.example.com/typed';
  const terminal = openInProcess(
    context,
    stage,
    `wm webhook create ${url} --events all --secret-stdin`,
    setting,
  );
  await terminal.shows('Secret of the webhook', `${receiverSecret}${key.enter}`);
  await terminal.shows('Active');
  assert.equal(await terminal.ended, 0, terminal.text);
  assert.ok(!terminal.text.includes('3 words'), terminal.text);

  const line = 'wm webhook create http://hooks.example.com/generated --events all --generate-secret';
  const generated = openInProcess(context, stage, line, setting);
  await generated.shows(/^[0-9a-f]{64}$/m);
  await generated.shows('know the secret? (y/N)', key.enter);
  assert.equal(await generated.ended, 2);
});

test('Enter at the prompt of verify means no secret, TERM=xterm-256color', async (context) => {
  const stage = await setStage(context);
  const line = `wm webhook verify http://hooks.example.com/ --connect-to ${stage.receiver} -q`;
  const terminal = openInProcess(context, stage, line, { environment: { TERM: 'xterm-256color' } });
  await terminal.shows('Secret of the webhook (Enter if it has none)', key.enter);
  await terminal.shows(/response time.*ok/);
  assert.equal(await terminal.ended, 0, terminal.text);
});

for (const url of [
  'https://ada:hunter2@hooks.example.com:8443/x',
  'https://hooks.example.com:8443/x?token=hunter2',
])
  test(`does not repeat possible secrets in a rejected URL: ${url.slice(8, 11)}`, async (context) => {
    const { wm } = await emulated(context, {}, { signedOut: true });
    const environment = { WM_TOKEN: 'a-token', WM_HOST: 'www.example.com' };
    for (const words of [
      ['create', url],
      ['listen', '--public-url', url],
      ['trigger', 'TaskCreated', '--unsigned', '--to', url.replace('https://', 'ftp://ada:hunter2@')],
    ]) {
      const ran = await wm(['webhook', ...words], { environment });
      assert.notEqual(ran.status, 0);
      assert.ok(!ran.errors.includes('hunter2'), ran.errors);
    }
  });
