// `wm webhook rotate-secret`: the successor is what the old webhook was but for the secret, and nothing is created before the receiver
// knows the secret. Also test/transcript/webhook-rotate-unknown.txt (settings that nobody knows) and rotate-secret.deep.test.ts.

import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createMemoryKeychain } from '#test/support/memory-keychain.ts';
import { printedCommand } from '#test/support/program/printed.ts';
import { streamsOfFullDisk } from '#test/support/program/streams.ts';
import { localPath, readLocal } from '../local-records.ts';
import { forget, newSecret, oldSecret, rotating, storedSecrets, unlimited } from './rotating.ts';

for (const bare of [false, true]) {
  test(`the successor has all settings of the old one: ${bare ? '--bare' : 'with the assumed fields'}`, async (context) => {
    const service = await rotating(context, { mode: bare ? 'bare' : 'default' });
    const scope = ['--folder', 'IEAAAAAQI4AB5FLD', '--recursive'];
    const events = ['--events', 'TaskCreated,TaskDeleted', '--filter', 'TaskCreated:recurrent=true'];
    const id = await service.create('hook', [...scope, ...events, '--payload-fields', 'title']);
    await service.wm(['webhook', 'label', id, 'billing sync']);
    const ran = await service.rotate(id, '--json');
    assert.equal(ran.status, 0, ran.errors);
    const { id: successor, folderId, hookUrl, status, local } = JSON.parse(ran.output);
    assert.deepEqual([folderId, hookUrl, status], ['IEAAAAAQI4AB5FLD', service.receiver.url, 'Active']);
    const { [id]: old, [successor]: now } = await readLocal(service.environment);
    const { at: _, ...created } = now?.created ?? { at: '' };
    const { at: _old, ...before } = old?.created ?? { at: '' };
    assert.deepEqual(created, before);
    assert.deepEqual(now?.created?.parameterisedEvents, [
      { event: 'TaskDeleted', fields: ['title'] },
      { event: 'TaskCreated', recurrent: true, fields: ['title'] },
    ]);
    assert.equal(now?.label, 'billing sync');
    assert.equal(old?.label, undefined);
    assert.equal(old?.replacedBy?.id, successor);
    assert.equal(old?.note?.text, `secret rotated: ${successor} delivers in its place`);
    assert.equal(local.replaces.id, id);
    assert.ok(Date.parse(local.replaces.from) <= Date.parse(local.replaces.to));
    assert.match(
      ran.errors,
      /^From \d{4}-\d\d-\d\d \d\d:\d\d:\d\d \(UTC[+-]\d\d:\d\d\) to .* both delivered: the receiver got each event of that time twice/m,
    );
    assert.deepEqual(await service.state(), ['Active /hook', 'Suspended /hook']);

    // The successor is signed with the new secret: samples of an event are.
    const last = service.receiver.arrived.at(-1);
    service.knows.delete(oldSecret);
    assert.equal((await service.receiver.respond(last ?? { headers: {}, body: '', url: '' })).status, 200);
    const history = await service.wm(['history', '--json', '--command', 'webhook rotate-secret']);
    const entries: readonly { operation: string; note: string }[] = JSON.parse(history.output);
    assert.deepEqual(
      entries.map(({ operation, note }) => [operation, note]),
      [
        ['createFolderWebhook', `rotates the secret of ${id}`],
        ['updateWebhook', `rotates the secret of ${id}`],
      ],
    );
    // The same command again, and with the label, which is the successor's now.
    const again = await service.rotate(id);
    assert.equal(again.status, 0);
    assert.match(again.errors, new RegExp(`: ${successor} has replaced it. Nothing was changed.$`, 'm'));
    assert.equal(again.output.split('\t')[0], successor);
    assert.equal((await service.state()).length, 2);
  });
}

test('writes and prints no secret, unless it is to be stored', async (context) => {
  const service = await rotating(context);
  const id = await service.create();
  await service.killed(service.unverified(id), { at: 3, when: 'before' });
  const text = await readFile(localPath(service.environment), 'utf8');
  assert.match(text, /"secretCheck":\{"salt":/);
  assert.ok(!text.includes(newSecret));
  const listed = await service.wm(['webhook', 'list', '--json']);
  assert.match(listed.output, /"rotation":\{/);
  assert.ok(!listed.output.includes('secretCheck'), listed.output);
  const shown = await service.wm(['webhook', 'get', id]);
  assert.match(shown.output, /\tunder way: the request for a successor was sent\n$/);
});

test('a stored secret moves to the successor', async (context) => {
  const service = await rotating(context);
  const keychain = createMemoryKeychain();
  const setting = { environment: { WM_TOKEN_STORE: 'keychain' }, world: { keychain } };
  const id = await service.create();
  await service.wm(['webhook', 'secret', id, '--store'], {
    ...setting,
    environment: { ...setting.environment, WM_WEBHOOK_SECRET: oldSecret },
  });
  const words = ['webhook', 'rotate-secret', id, '--yes', ...unlimited];
  const blank = await service.wm(words, { environment: { WM_WEBHOOK_SECRET: ' ' } });
  assert.match(blank.errors, /^wm: The secret of WM_WEBHOOK_SECRET is blank\n/m);
  const same = await service.wm(words, {
    ...setting,
    environment: { ...setting.environment, WM_WEBHOOK_SECRET: oldSecret },
  });
  assert.equal(same.status, 2);
  assert.match(same.errors, /The new secret of WM_WEBHOOK_SECRET is the one that webhook \w+ has/);
  const ran = await service.wm([...words, '--secret-file', service.secretFile, '--old', 'delete'], setting);
  assert.equal(ran.status, 0, ran.errors);
  const [successor] = ran.output.split('\t');
  assert.deepEqual([...keychain.items], [[`${successor}@${service.emulator.host}`, newSecret]]);
  assert.deepEqual(await service.state(), ['Active /hook']);
  const again = await service.rotate(id);
  assert.match(again.errors, /Nothing was changed/);
});

test('a generated secret, in two runs: the second needs no flag, and nothing is left behind', async (context) => {
  const service = await rotating(context);
  const id = await service.create();
  const words = ['webhook', 'rotate-secret', id, '--generate-secret', ...unlimited];
  const hasty = await service.wm([...words, '--yes', '--no-verify']);
  assert.equal(hasty.status, 2);
  assert.match(hasty.errors, /--no-verify cannot be used in the run that generates the secret/);
  const prepared = await service.wm([...words, '--prepare', '--json']);
  assert.equal(prepared.status, 0, prepared.errors);
  const { secret, ...rest } = JSON.parse(prepared.output);
  assert.match(secret, /^[0-9a-f]{64}$/);
  assert.deepEqual(rest, { id });
  assert.deepEqual(await service.state(), ['Active /hook']);
  const listed = await service.wm(['webhook', 'list', '-q']);
  assert.match(listed.output, /\tunder way: no successor yet\n$/);

  const early = await service.wm([...words, '--yes']);
  assert.equal(early.status, 10, early.errors);
  assert.equal(early.output, '', 'it is printed once');
  assert.match(early.errors, /^wm: The receiver does not accept the new secret: handshake/m);
  assert.match(early.errors, /no successor was created/);
  assert.match(early.errors, /Let the receiver accept deliveries that are signed with either secret/);
  assert.deepEqual(await service.state(), ['Active /hook']);
  service.knows.add(secret);
  const again = printedCommand(early.errors, 'Then continue: ');
  const ran = await service.wm(again);
  assert.equal(ran.status, 0, ran.errors);
  assert.equal((await storedSecrets(service)).size, 0);
});

test('a generated secret that is not printed: the printed command prints it', async (context) => {
  const service = await rotating(context);
  const id = await service.create();
  const words = ['webhook', 'rotate-secret', id, '--generate-secret', '--prepare', ...unlimited];
  for (const flags of [[], ['--json'], ['--jq', 'error("x")']]) {
    const { streams, texts } = streamsOfFullDisk();
    const ran = await service.wm([...words, ...flags], { world: { streams } });
    assert.equal(ran.status, 1, texts.errors);
    assert.match(texts.errors, /The new secret was not printed/);
    assert.doesNotMatch(texts.errors, /It is not shown again|did its work/);
    const again = printedCommand(texts.errors.replace(/"}}$/m, ''), 'To print it: ');
    const printed = await service.wm(again);
    assert.match(printed.output, /^[0-9a-f]{64}\n$/);
    await service.wm(['webhook', 'rotate-secret', id, '--abort', '--yes']);
  }
});

test('one run in a script, with a receiver that cannot know the generated secret yet', async (context) => {
  const service = await rotating(context);
  const id = await service.create();
  const ran = await service.wm(['webhook', 'rotate-secret', id, '--generate-secret', '--yes', ...unlimited]);
  assert.equal(ran.status, 10);
  assert.match(ran.output, /^[0-9a-f]{64}\n$/);
  assert.deepEqual(await service.state(), ['Active /hook']);
});

test('a receiver that accepts the handshake but not the deliveries', async (context) => {
  const service = await rotating(context);
  const id = await service.create();
  const { respond } = service.receiver;
  let isCreated = false;
  service.receiver.respond = async (arrived) => {
    isCreated ||= (await service.state()).length === 2;
    return isCreated && !arrived.body.includes('requestType') ? { status: 410 } : respond(arrived);
  };
  const ran = await service.rotate(id);
  assert.equal(ran.status, 10, ran.errors);
  assert.match(ran.errors, /the successor \w+ exists, and the old webhook was not changed: both deliver/);
  assert.deepEqual(await service.state(), ['Active /hook', 'Active /hook']);
  const listed = await service.wm(['webhook', 'list', '-q']);
  const [, successor = ''] = /\tunder way: successor (\w+)$/m.exec(listed.output) ?? [];
  assert.match(listed.output, new RegExp(`^${successor}.*\tunder way: replaces ${id}$`, 'm'));
  const otherRun = await service.rotate(successor);
  assert.equal(otherRun.status, 2);
  assert.match(otherRun.errors, new RegExp(`is the successor of ${id}, and that rotation is under way`));
  service.receiver.respond = respond;
  const again = await service.wm(printedCommand(ran.errors, 'Then continue: '));
  assert.equal(again.status, 0, again.errors);
  assert.equal(again.output.split('\t')[0], successor);
  assert.deepEqual(await service.state(), ['Active /hook', 'Suspended /hook']);
});

test('the old webhook stays as it is if the successor is deleted while the receiver is checked', async (context) => {
  const service = await rotating(context);
  const id = await service.create();
  const { respond } = service.receiver;
  service.receiver.respond = async (arrived) => {
    const listed: readonly { id: string }[] = JSON.parse(
      (await service.wm(['webhook', 'list', '--json', '-q'])).output,
    );
    const successor = arrived.body.includes('requestType')
      ? undefined
      : listed.find((webhook) => webhook.id !== id);
    if (successor) await service.wm(['webhook', 'delete', successor.id, '--yes']);
    return respond(arrived);
  };
  const ran = await service.rotate(id);
  assert.equal(ran.status, 5, ran.errors);
  assert.match(ran.errors, /was not found/);
  assert.deepEqual(await service.state(), ['Active /hook']);
  service.receiver.respond = respond;
  const again = await service.wm(printedCommand(ran.errors, 'To continue: '));
  assert.equal(again.status, 0, again.errors);
  assert.match(again.errors, /The successor \w+ no longer exists/);
  assert.deepEqual(await service.state(), ['Active /hook', 'Suspended /hook']);
});

test('no successor exists after a rejection, and the next run creates it', async (context) => {
  const service = await rotating(context);
  const id = await service.create();
  service.knows.delete(newSecret);
  const ran = await service.rotate(id, '--no-verify');
  assert.equal(ran.status, 2, ran.errors);
  assert.match(ran.errors, /no successor was created/);
  assert.match(ran.errors, /the service asks the receiver for proof that it knows the new secret/);
  service.knows.add(newSecret);
  // At once: nothing can be under way.
  const again = await service.wm(printedCommand(ran.errors, 'Then continue: '));
  assert.equal(again.status, 0, again.errors);
  assert.deepEqual(await service.state(), ['Active /hook', 'Suspended /hook']);
});

for (const [flags, expected] of [
  [
    ['--events', 'TaskCreated', '--filter', 'TaskCreated:recurrent=true', '--payload-fields', 'title'],
    [{ event: 'TaskCreated', recurrent: true, fields: ['title'] }],
  ],
  [
    ['--parameterised-events', '[{"event":"TaskDeleted","fields":["title"]}]'],
    [{ event: 'TaskDeleted', fields: ['title'] }],
  ],
] as const)
  test(`unknown events from the flags: ${flags.join(' ')}`, async (context) => {
    const service = await rotating(context, { mode: 'bare' });
    const id = await service.create('hook', []);
    await forget(service);
    const ran = await service.rotate(id, '--account', '--all-item-types', ...flags, '--json');
    assert.equal(ran.status, 0, ran.errors);
    assert.deepEqual(JSON.parse(ran.output).local.created.parameterisedEvents, expected);
  });

test('the command that names unknown settings keeps to the events that the service shows', async (context) => {
  const service = await rotating(context);
  const id = await service.create();
  await forget(service);
  const missing = await service.rotate(id);
  assert.equal(missing.status, 2, missing.errors);
  const ran = await service.wm(printedCommand(missing.errors, 'If it delivers everything: '));
  assert.equal(ran.status, 0, ran.errors);
  assert.equal(ran.output.split('\t')[4], 'TaskCreated');
});

test('flags or a secret different from the first run', async (context) => {
  const service = await rotating(context);
  const id = await service.create();
  await forget(service);
  const flags = ['--account', '--events', 'TaskCreated', '--all-item-types'];
  const prepared = await service.rotate(id, ...flags, '--prepare');
  assert.equal(prepared.status, 0, prepared.errors);
  assert.match(prepared.errors, /Prepared: no successor was created/);
  const cases: readonly (readonly [readonly string[], RegExp])[] = [
    [['--generate-secret'], /the rotation began with a secret of your own/],
    [
      [...flags.slice(0, 3), '--custom-item-types', 'IEAAAAAQJUAB5NUM', '--secret-file', service.secretFile],
      /differ from the ones with which the rotation began/,
    ],
    [[], /Missing: the new secret/],
  ];
  for (const [words, message] of cases) {
    const ran = await service.wm(['webhook', 'rotate-secret', id, '--yes', ...words]);
    assert.equal(ran.status, 2, ran.errors);
    assert.match(ran.errors, message);
  }
  const otherRun = await service.wm(['webhook', 'rotate-secret', id, '--secret-stdin', '--yes'], {
    input: 'another 1',
  });
  assert.match(otherRun.errors, /The secret of standard input is not the one with which the rotation began/);
  // What is known does not change because the flags are not repeated.
  const ran = await service.rotate(id);
  assert.equal(ran.status, 0, ran.errors);
});

test('--abort: deletes the successor, and the old one delivers', async (context) => {
  const service = await rotating(context);
  const id = await service.create();
  const none = await service.wm(['webhook', 'rotate-secret', id, '--abort']);
  assert.equal(none.status, 2);
  assert.match(none.errors, /No rotation of the secret of webhook \w+ is under way/);
  // Killed after the old one was suspended, and before that was recorded.
  const words = service.unverified(id);
  const requests = await service.killed(words, { at: 4, when: 'after' });
  assert.match(requests[3] ?? '', /^PUT /);
  assert.deepEqual(await service.state(), ['Active /hook', 'Suspended /hook']);
  const unconfirmed = await service.wm(['webhook', 'rotate-secret', id, '--abort']);
  assert.equal(unconfirmed.status, 2);
  assert.match(unconfirmed.errors, /The successor \w+ is deleted for good, and webhook \w+ is resumed first/);
  const shown = await service.wm(['webhook', 'rotate-secret', id, '--abort', '--dry-run']);
  assert.deepEqual(shown.output.match(/^(PUT|DELETE) /gm), ['PUT ', 'DELETE ']);
  const ran = await service.wm(['webhook', 'rotate-secret', id, '--abort', '--yes']);
  assert.equal(ran.status, 0, ran.errors);
  assert.deepEqual(await service.state(), ['Active /hook']);
  const local = await readLocal(service.environment);
  assert.equal(local[id]?.rotation, undefined);
  const again = await service.rotate(id);
  assert.equal(again.status, 0, again.errors);
  const over = await service.wm(['webhook', 'rotate-secret', id, '--abort']);
  assert.match(over.errors, /It is complete. To go back to the old secret: wm webhook resume /);
  const both = await service.wm(['webhook', 'rotate-secret', id, '--abort', '--prepare']);
  assert.equal(both.status, 2);
});

test('--abort cannot restore a deleted webhook', async (context) => {
  const service = await rotating(context);
  const id = await service.create();
  const words = [
    ...['webhook', 'rotate-secret', id, '--secret-file', service.secretFile],
    ...['--no-verify', '--yes', '--old', 'delete'],
  ];
  const requests = await service.killed(words, { at: 4, when: 'after' });
  assert.match(requests[3] ?? '', /^DELETE /);
  const ran = await service.wm(['webhook', 'rotate-secret', id, '--abort', '--yes']);
  assert.equal(ran.status, 2);
  assert.match(ran.errors, /the old webhook no longer exists/);
  // By the URL, which the service lists only for the successor.
  const byUrl = words.with(2, `http://127.0.0.1:${service.receiver.port}/hook`);
  assert.equal((await service.wm(byUrl)).status, 0);
  assert.deepEqual(await service.state(), ['Active /hook']);
});
