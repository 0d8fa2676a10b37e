// Data files that a user edited, so that something is missing, and large ones, whose old entries are deleted.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import type { PersistedState } from '#emulator/state/data-file.ts';
import type { Folder, Invitation } from '#emulator/state/store.ts';
import { control } from '#test/support/service/control.ts';
import { records, rowsOf, valuesOf } from '#test/support/service/records.ts';
import { call, query, rejectedUpdate, start, update } from '#test/support/service/start-emulator.ts';
import { dataFileWorld } from './data-file-world.ts';

const version3 = 'rtkV3nWs8QzTx1KyLr5VcHj7DfGp2MbUe9OoIi4PaRk6YtNwBvCgFhSlJzEu0Xm';

/** The data file of a fresh emulator. */
async function edited(t: TestContext) {
  const { dataFile, logged, begin, start: begun } = await dataFileWorld(t);
  const read = async (): Promise<PersistedState> => JSON.parse(await readFile(dataFile, 'utf8'));
  const edit = async (change: (state: PersistedState) => Partial<PersistedState>) => {
    const state = await read();
    await writeFile(dataFile, JSON.stringify({ ...state, ...change(state) }));
  };
  await (await begun()).close();
  return { dataFile, logged, begin, begun, read, edit };
}

interface Application {
  readonly authUrl: string;
  readonly clientId: string;
  readonly clientSecret: string;
}

function consentPage({ authUrl, clientId: client_id }: Application): Promise<Response> {
  const redirect_uri = 'http://127.0.0.1:53682/callback';
  return fetch(`${authUrl}/oauth2/authorize/v4?${query({ client_id, response_type: 'code', redirect_uri })}`);
}

function convert({
  authUrl,
  clientId: client_id,
  clientSecret: client_secret,
}: Application): Promise<Response> {
  const form = { client_id, client_secret, refresh_token: version3, accountId: 'IEAAAAAQ' };
  return fetch(`${authUrl}/oauth2/convert_v3_token`, { method: 'POST', body: new URLSearchParams(form) });
}

test('only requests that need a record removed from the data file fail', async (t) => {
  const { begun, edit, logged } = await edited(t);
  await edit(({ accounts, tokens, workflows, customFields }) => ({
    accounts: accounts.filter(({ id }) => id !== 'IEAAEUAQ'),
    tokens: tokens.map((token) => (token.id === version3 ? { ...token, userId: 'KUEUADAQ' } : token)),
    workflows: workflows.filter(({ id }) => id !== 'IEAAAAAQK4AB5STD'),
    customFields: customFields.filter(({ id }) => id !== 'IEAAAAAQJUAB5TXT'),
  }));
  const emulator = await begun();
  const page = await consentPage(emulator);
  const converted = await convert(emulator);
  const created = await fetch(`${emulator.controlUrl}/tasks`, { method: 'POST', body: '{"count":1}' });
  for (const [response, missing] of [
    [page, 'IEAAEUAQ'],
    [converted, 'IEAAEUAQ'],
    [created, 'IEAAAAAQ'],
  ] as const) {
    assert.equal(response.status, 500);
    assert.deepEqual(JSON.parse(await response.text()), {
      errorDescription: `Internal error of the emulator: The emulator has no entry ${missing}. See its standard error for details, and please report it`,
      error: 'server_error',
    });
    assert.match(
      logged.shift() ?? '',
      new RegExp(`^internal error: Error: The emulator has no entry ${missing}\n +at `),
    );
  }
  // A batch fails as a whole, when it is due.
  const operations = [
    { method: 'POST', path: '/folders/IEAAAAAQI4AB5FLD/tasks', parameters: { title: 'x' } },
  ];
  const { body } = await call(emulator, 'POST', `/batch?${query({ operations })}`);
  await control(emulator, 'POST', '/clock', { advanceSeconds: 1 });
  assert.deepEqual(logged.splice(0), ['Error: The emulator has no entry IEAAAAAQ']);
  const [job] = await records(emulator, 'GET', `/async_job/${body.data[0].id}`);
  assert.equal(job.status, 'InProgress');
  assert.equal((await update(emulator, { title: 'x' })).title, 'x');
  assert.deepEqual(logged, []);
});

test('a custom field of an unknown type is an internal error, not an invalid value', async (t) => {
  const { dataFile, begun, logged } = await edited(t);
  await writeFile(dataFile, (await readFile(dataFile, 'utf8')).replaceAll('"Numeric"', '"Imaginary"'));
  const emulator = await begun();
  const { status, error } = await rejectedUpdate(emulator, {
    customFields: [{ id: 'IEAAAAAQJUAB5NUM', value: '7' }],
  });
  assert.deepEqual([status, error], [500, 'server_error']);
  assert.match(logged[0] ?? '', /^internal error: TypeError: /);
});

test('reads a data file laid out by hand, or with an empty line at its end', async (t) => {
  const { dataFile, begun } = await edited(t);
  const text = await readFile(dataFile, 'utf8');
  for (const edited of [`${text}\n`, text.replaceAll(',"', ',\n"'), text.replaceAll('\n', '\r\n\r\n')]) {
    await writeFile(dataFile, edited);
    const emulator = await begun();
    assert.equal((await call(emulator, 'GET', `/tasks/${emulator.sampleTask}`)).status, 200);
    await emulator.close();
  }
});

test('JSON that is not a data file is a fault', async (t) => {
  const { dataFile, begin } = await edited(t);
  for (const text of ['null', '7', '[]', '{}', '{"format":"wm-emulator-1"}']) {
    await writeFile(dataFile, text);
    assert.deepEqual(
      await begin(),
      { fault: 'failed', detail: `${dataFile} is not a data file of this version of the emulator` },
      text,
    );
    assert.equal(await readFile(dataFile, 'utf8'), text);
  }
});

test('the audit log keeps its latest thousand entries', async (t) => {
  const { begun, edit, read } = await edited(t);
  await edit(() => ({
    audit: Array.from({ length: 999 }, (_, i) => ({
      id: `entry ${i}`,
      accountId: 'IEAAAAAQ',
      operation: 'WebhookCreated',
      userId: 'KUAAADAQ',
      userEmail: 'ada@paper-lantern.example',
      eventDate: '2026-03-01T12:00:00Z',
      ipAddress: '127.0.0.1',
      objectType: 'Webhook',
      objectName: 'https://hooks.example.com/',
      objectId: 'IEAAAAAQW1',
      details: {},
    })),
  }));
  const emulator = await begun();
  const ids: string[] = [];
  for (let i = 0; i < 3; i++) {
    const hookUrl = 'https://hooks.example.com/';
    ids.push((await records(emulator, 'POST', `/webhooks?${query({ hookUrl })}`))[0].id);
  }
  const { body } = await call(emulator, 'GET', '/audit_log');
  assert.equal(body.data.length, 1_000);
  assert.deepEqual([body.data[999].id, body.data[3].id], ['entry 2', 'entry 998']);
  assert.deepEqual(valuesOf(body.data.slice(0, 3), 'objectId'), ids.toReversed());
  await emulator.close();
  assert.equal((await read()).audit.length, 1_000);
});

test('beyond a thousand stored tokens, the expired ones are removed', async (t) => {
  for (const [count, isKept] of [
    [1_000, true],
    [1_001, false],
  ] as const) {
    const { begun, edit, read } = await edited(t);
    const isOld = ({ id }: { id: string }) => id.startsWith('old');
    await edit(({ tokens }) => {
      const common = {
        use: 'access',
        applicationId: 'Rd7kPq2W',
        userId: 'KUAAADAQ',
        scopes: ['Default'],
      } as const;
      const live = { ...common, id: 'live', expires: start + 1 };
      const old = Array.from({ length: count - tokens.length - 1 }, (_, i) => ({
        ...common,
        id: `old ${i}`,
        expires: start,
      }));
      return { tokens: [...tokens, live, ...old] };
    });
    const emulator = await begun();
    assert.equal((await convert(emulator)).status, 200);
    await emulator.close();
    const { tokens } = await read();
    assert.equal(tokens.some(isOld), isKept);
    assert.equal(tokens.filter((token) => !isOld(token)).length, 8);
  }
});

test('an expired consent page is removed when the next one is shown', async (t) => {
  const { begun, edit, read } = await edited(t);
  await edit(() => ({
    tickets: [start, start + 1].map((expires) => ({
      id: String(expires - start),
      applicationId: 'Rd7kPq2W',
      redirectUri: 'http://127.0.0.1:53682/callback',
      named: true,
      scopes: ['Default'],
      expires,
    })),
  }));
  const emulator = await begun();
  assert.equal((await consentPage(emulator)).status, 200);
  await emulator.close();
  const { tickets } = await read();
  assert.deepEqual([tickets.length, tickets[0]?.id], [2, '1']);
});

test('a task deleted through the control endpoint is in the recycle bin after a restart', async (t) => {
  const { begun, read } = await edited(t);
  const emulator = await begun();
  const { status } = await fetch(`${emulator.controlUrl}/tasks/IEAAAAAQKQAB5BNG`, { method: 'DELETE' });
  assert.equal(status, 200);
  await emulator.close();
  const { tasks } = await read();
  assert.equal(tasks.find(({ id }) => id === 'IEAAAAAQKQAB5BNG')?.scope, 'RbTask');
});

test('reads a data file from before dependencies existed', async (t) => {
  const { begun, dataFile, read } = await edited(t);
  const { dependencies, ...older } = await read();
  assert.ok(dependencies.length > 0);
  await writeFile(dataFile, JSON.stringify(older));
  const emulator = await begun();
  const path = `/tasks/${emulator.sampleTask}/dependencies`;
  assert.deepEqual((await call(emulator, 'GET', path)).body, { kind: 'dependencies', data: [] });
  const made = await call(emulator, 'POST', path, { form: { successorId: 'IEAAAAAQKQAB5BUG' } });
  assert.equal(made.status, 200, JSON.stringify(made.body));
});

test('reads a data file from before folders could be restored, as if its folders could', async (t) => {
  const { begun, edit } = await edited(t);
  await edit(({ folders, invitations, groups: _, timelogCategories: __, ...older }) => ({
    ...older,
    folders: folders.map(({ formerParentIds: _, metadata: __, ...folder }) => folder as Folder),
    invitations: invitations.map(({ id, accountId, email }) => ({ id, accountId, email }) as Invitation),
  }));
  const emulator = await begun();
  const done = async (method: string, path: string) => {
    const data = await records(emulator, method, path);
    return data[0];
  };
  // Changes are searched for events only if there is a webhook.
  await done('POST', `/webhooks?${query({ hookUrl: 'https://hooks.example.com/' })}`);
  const folder = `/folders/${emulator.sampleFolder}`;
  assert.deepEqual((await done('GET', folder)).metadata, []);
  const metadata = [{ key: 'a', value: 'b' }];
  assert.deepEqual((await done('PUT', `${folder}?${query({ title: 'x', metadata })}`)).metadata, metadata);
  await done('DELETE', folder);
  await done('PUT', `${folder}?restore=true`);
  await done('GET', '/folders?fields=["metadata"]');
  const { status, role, inviterUserId } = await done('GET', '/invitations');
  assert.deepEqual([status, role, inviterUserId], ['Pending', 'User', 'KUAAADAQ']);
});

test('reads a data file whose webhooks have a scope and the id of their place', async (t) => {
  const { begun, edit } = await edited(t);
  const webhook = {
    id: 'IEAAAAAQW0123456789A',
    accountId: 'IEAAAAAQ',
    applicationId: 'Rd7kPq2W',
    authorId: 'KUAAADAQ',
    hookUrl: 'https://hooks.example.com/',
    recursive: true,
    status: 'Active',
  } as const;
  const folder = { ...webhook, scope: 'folder', placeId: 'IEAAAAAQI4AB5FLD' };
  const space = { ...webhook, id: 'IEAAAAAQW0123456789B', scope: 'space', placeId: 'IEAAAAAQI5AB5SPC' };
  const account = { ...webhook, id: 'IEAAAAAQW0123456789C', scope: 'account' };
  await edit(() => ({ webhooks: [folder, space, account] }));
  const emulator = await begun();
  const { body } = await call(emulator, 'GET', '/webhooks');
  assert.deepEqual(rowsOf(body.data, 'folderId', 'recursive'), [
    ['IEAAAAAQI4AB5FLD', true],
    [undefined, true],
    [undefined, undefined],
  ]);
  const { webhooks } = await control(emulator, 'GET', '/seed');
  assert.equal(webhooks[1].spaceId, 'IEAAAAAQI5AB5SPC');
});
