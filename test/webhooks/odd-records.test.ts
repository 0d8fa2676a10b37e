// Webhooks as the contract allows them and the emulator never gives them: without a URL, a status or a title, in pages,
// or not the one that was asked for. Each is shown for what it is, and none is taken for another.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { jsonReply } from '#test/support/service/raw-server.ts';
import { hook, hookId, hooks } from '#test/support/service/scripted-service.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { answering, broken, cut } from './records.ts';

const path = `webhooks/${hookId}`;
const { hookUrl } = hook;
const bare = { id: hookId };
const otherId = 'IEAAAAAQJAAAAAAC';
/** What is shown before a change that --yes confirms. */
const shownAccount = 'Account IEAAAAAQ\n';
const subject = `Webhook ${hookId} (${hookUrl})`;
const howToGoOn = `  To see its status: wm webhook get ${hookId}
  You can run it again safely: wm webhook suspend ${hookId} --yes
`;

test('names the first 20 of many missing webhooks', async (context) => {
  const ids = Array.from({ length: 22 }, (_, index) => `IEAAAAAQJAAA${1000 + index}`);
  const { wm } = await answering(context, {
    [`GET webhooks/${ids.join(',')}`]: [hooks()],
    [`GET webhooks/${ids.slice(1).join(',')}`]: [hooks()],
    [`GET webhooks/${ids.slice(2).join(',')}`]: [hooks()],
  });
  for (const [skipped, ending] of [
    [0, ' and 2 more'],
    [1, ' and 1 more'],
    [2, ''],
  ] as const) {
    const selected = ids.slice(skipped);
    const { status, errors } = await wm(['webhook', 'get', ...selected]);
    assert.equal(status, 5, errors);
    const named = `${selected.slice(0, 20).join(', ')}${ending}`;
    assert.ok(
      errors.startsWith(`wm: ${selected.length} of ${selected.length} webhooks were not found: ${named}\n`),
      errors,
    );
  }
});

test('the confirmation has one line per webhook', async (context) => {
  const stage = await setStage(context);
  const forged = `https://hooks.example.com/a\n  https://hooks.example.com/b (${otherId})`;
  const { host } = await answering(context, {
    'GET webhooks': [hooks({ ...hook, hookUrl: forged }, { ...hook, id: 'IEAAAAAQJAAAAAAD' })],
  });
  const environment = { WM_HOST: host, WM_TOKEN: 'x' };
  const terminal = openInProcess(context, stage, 'wm webhook suspend --all', { environment });
  await terminal.shows(`  ${forged.replace('\n', ' ')} (${hookId})`);
  await terminal.shows('Suspend these 2 webhooks?', `n${key.enter}`);
  assert.equal(await terminal.ended, 2);
});

for (const [change, because, cause] of [
  [hooks({ id: hookId, status: 'Active' }), 'the change was sent, but its status', 'The service'],
  [
    hooks({ ...hook, id: otherId, status: 'Suspended' }),
    'the change was sent, but its status',
    `The outcome of PUT /webhooks/${hookId} is unknown`,
  ],
  [
    hooks({ id: hookId, status: 'Suspended' }),
    'the service responded that it is Suspended, but its status',
    'The service',
  ],
] as const) {
  test(`the response to the change is ${JSON.stringify(change)}, and nothing can be read back`, async (context) => {
    const { wm } = await answering(context, {
      [`GET ${path}`]: [hooks(hook), broken],
      'GET webhooks': [hooks(hook)],
      [`PUT ${path}`]: [change],
    });
    const { status, output, errors } = await wm(['webhook', 'suspend', hookId, '--yes']);
    assert.deepEqual([status, output], [9, ''], errors);
    assert.ok(
      errors.startsWith(`${shownAccount}wm: ${subject}: ${because} could not be read back\n  ${cause}`),
      errors,
    );
    assert.ok(errors.endsWith(`\n${howToGoOn}`), errors);
  });
}

for (const [answer, exit, says] of [
  [
    hooks(hook),
    1,
    'is without a status, not Suspended\n  the webhook was read back without a status; the change may have been undone by another user\n',
  ],
  [cut, 9, 'is still without a status, and the change to Suspended may yet take effect\n'],
] as const)
  test(`read back without a status: not reported as suspended, exit ${exit}`, async (context) => {
    const { wm } = await answering(context, {
      [`GET ${path}`]: [hooks(hook), hooks({ id: hookId, hookUrl })],
      'GET webhooks': [hooks(hook)],
      [`PUT ${path}`]: [answer],
    });
    const { status, output, errors } = await wm(['webhook', 'suspend', hookId, '--yes']);
    assert.deepEqual([status, output], [exit, '']);
    assert.ok(errors.startsWith(`${shownAccount}wm: ${subject} ${says}`), errors);
    assert.ok(errors.endsWith(`\n${howToGoOn}`), errors);
  });

test('deleted without reading it first: its line has no URL', async (context) => {
  for (const [flags, line] of [
    [[], `${hookId}\tdeleted\t\n`],
    [['--json'], `${JSON.stringify({ id: hookId, deleted: true })}\n`],
  ] as const) {
    const { wm, asked } = await answering(context, {
      // The look before is tried three times.
      [`GET ${path}`]: [
        broken,
        broken,
        broken,
        jsonReply(404, { error: 'resource_not_found', errorDescription: 'A fault of the test' }),
      ],
      [`DELETE ${path}`]: [hooks()],
    });
    const { status, output, errors } = await wm(['webhook', 'delete', hookId, '--yes', ...flags], {
      // On the hurried clock, every request to the keychain takes long.
      environment: { WM_TOKEN_STORE: 'file' },
    });
    assert.equal(status, 0, errors);
    assert.equal(output, line);
    assert.match(errors, new RegExp(`^Webhook ${hookId} could not be read beforehand: The service`, 'm'));
    assert.ok(errors.endsWith(`Deleted: webhook ${hookId}. The service no longer has it.\n`), errors);
    assert.equal(asked.at(-2), `DELETE ${path}`);
  }
});

test('deleted, but nothing can be read back: the outcome is unknown', async (context) => {
  const { wm } = await answering(context, {
    [`GET ${path}`]: [hooks(hook), broken],
    [`DELETE ${path}`]: [hooks()],
  });
  const { status, output, errors } = await wm(['webhook', 'delete', hookId, '--yes']);
  assert.deepEqual([status, output], [9, ''], errors);
  assert.match(errors, /could not read back whether it took effect\n {2}The service.* 500/);
});

const create = ['webhook', 'create', hookUrl];

test('a lost create response: names the webhooks it may have created, even without a status', async (context) => {
  const { wm } = await answering(context, {
    'GET webhooks': [hooks(), hooks({ id: hookId, hookUrl }, { ...hook, id: otherId })],
    'POST webhooks': [cut],
  });
  const { status, errors } = await wm(create);
  assert.equal(status, 9, errors);
  const hint = `These webhooks have this URL, created now or earlier: ${hookId} (no status), ${otherId} (Active)`;
  assert.ok(
    errors.endsWith(`  ${hint}\n  Check them before you retry: wm webhook get ${hookId} ${otherId}\n`),
    errors,
  );
});

const folderId = 'IEAAAAAQI4AB5FLD';
const people = { kind: 'contacts', data: [{ id: 'KUAAAAAQ', firstName: 'Ada', me: true }] };
const accounts = { kind: 'accounts', data: [{ id: 'IEAAAAAQ', name: 'Example' }] };

test('questions: show what a webhook delivers, as far as its record says', async (context) => {
  const stage = await setStage(context);
  const { host } = await answering(context, {
    'GET account': [accounts],
    'GET contacts': [people],
    'GET folders': [{ kind: 'folders', data: [{ id: folderId, title: '' }] }],
    [`GET ${path}`]: [
      hooks({ ...hook, status: 'Suspended', events: ['TaskCreated'] }),
      hooks({ ...hook, events: ['TaskCreated'], folderId }),
      hooks({ ...hook, events: ['TaskCreated', 'TaskDeleted'], folderId, recursive: true }),
      hooks({ ...hook, status: 'Suspended', events: ['TaskCreated', 'TaskDeleted'] }),
      hooks({ ...hook, events: ['TaskCreated'] }),
    ],
    [`GET webhooks/${otherId}`]: [broken],
  });
  const whom = `${hookUrl} (${hookId})`;
  for (const [line, question] of [
    [`delete ${hookId}`, `Delete ${whom} for good? It is suspended.`],
    [`suspend ${hookId}`, `Suspend ${whom}? It delivers 1 event for the folder ${folderId}.`],
    [
      `delete ${hookId}`,
      `Delete ${whom} for good? It delivers 2 events for the folder ${folderId} and below.`,
    ],
    [`suspend ${hookId}`, undefined],
    [
      `delete ${hookId} ${otherId}`,
      `  ${whom}: 1 event for the account or a space\n  webhook ${otherId} (could not be read)\n? Delete these 2 webhooks for good?`,
    ],
  ] as const) {
    const terminal = openInProcess(context, stage, `wm webhook ${line}`, {
      columns: 200,
      environment: { WM_HOST: host, TERM: 'dumb' },
    });
    if (question === undefined) {
      await terminal.shows(`${hookUrl} (${hookId}) is already Suspended. Nothing was changed.`);
      assert.equal(await terminal.ended, 0);
      continue;
    }
    await terminal.shows(`${question} (y/N)`, key.enter);
    assert.equal(await terminal.ended, 2, terminal.text);
  }
});

test('the picker: a webhook without a URL, and with a status of its own', async (context) => {
  const stage = await setStage(context);
  const { host } = await answering(context, {
    'GET webhooks': [
      hooks({ ...hook, status: 'Suspended' }),
      hooks({ ...hook, status: 'Suspended' }, { ...hook, id: otherId, status: 'Suspended' }),
      hooks(),
      hooks(hook, bare, { id: otherId, status: 7 }),
      hooks(hook, { ...hook, id: otherId, hookUrl: undefined, status: 'Paused' }),
    ],
  });
  const open = () =>
    openInProcess(context, stage, 'wm webhook suspend', {
      columns: 200,
      environment: { WM_HOST: host, TERM: 'dumb' },
    });
  for (const why of ['  the only one is already Suspended\n', '  all 2 are already Suspended\n', '']) {
    const terminal = open();
    assert.equal(await terminal.ended, 5);
    assert.ok(
      terminal.text.includes(`wm: No webhook to suspend\n${why}  Only webhooks created by this token`),
      terminal.text,
    );
  }
  for (const rows of [
    [
      new RegExp(`1 {2}no URL +${hookId} +account or space`),
      new RegExp(`2 {2}no URL +${otherId} +account or space`),
      new RegExp(`3 {2}${hookUrl} +${hookId} +Active +account or space`),
    ],
    [
      new RegExp(`1 {2}no URL +${otherId} +Paused +account or space`),
      new RegExp(`2 {2}${hookUrl} +${hookId} +Active +account or space`),
    ],
  ]) {
    const terminal = open();
    await terminal.shows(/Numbers, or text to filter by: $/);
    for (const row of rows) assert.match(terminal.text, row);
    terminal.type(key.interrupt);
    assert.equal(await terminal.ended, 130);
  }
});
