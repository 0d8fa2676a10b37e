// Several webhooks deliver to one URL, as an integration has them: to stop one of them stops nothing. Each command that changes one
// says what else delivers there, changes them all with one flag, and says at the end what still delivers.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { emulated } from '#test/support/program/emulated.ts';
import { inFront } from '#test/support/service/intercept.ts';
import { call, query } from '#test/support/service/start-emulator.ts';
import { openInProcess } from '#test/support/terminal/in-process.ts';
import { setStage } from '#test/support/terminal/stage.ts';
import { key } from '#test/support/terminal/terminal.ts';
import { readLocal, writeLocal } from '../local-records.ts';

const url = 'https://hooks.example.com/billing';
const hookUrls = [
  url,
  url,
  'https://HOOKS.example.com/billing',
  url,
  'https://hooks.example.com/tasks',
  'https://old.example/',
];

type Service = Pick<Awaited<ReturnType<typeof emulated>>, 'emulator'>;

async function createAll({ emulator }: Service): Promise<readonly string[]> {
  const ids: string[] = [];
  for (const hookUrl of hookUrls)
    ids.push((await call(emulator, 'POST', `/webhooks?${query({ hookUrl })}`)).body.data[0].id);
  return ids;
}

async function withDuplicates(context: TestContext) {
  const service = await emulated(context);
  const [one = '', two = ''] = await createAll(service);
  return { ...service, one, two };
}

test('names the successor and the old webhook as such during a rotation', async (context) => {
  const { wm, one, two, environment } = await withDuplicates(context);
  await wm(['webhook', 'label', one, 'billing']);
  const local = await readLocal(environment);
  const at = '2026-03-02T12:00:00.000Z';
  await writeLocal(environment, { ...local, [two]: { label: 'new', replaces: { id: one, from: at } } });
  const suspended = await wm(['webhook', 'suspend', one, '--yes']);
  assert.match(suspended.errors, new RegExp(`^  ${two} \\('new'\\), which replaces ${one}: `, 'm'));
  const otherRun = await wm(['webhook', 'delete', two, '--yes']);
  assert.ok(!otherRun.errors.includes('replaces'), otherRun.errors);
});

test('suspends even if the list fails, and says so', async (context) => {
  const { wm, one, two, emulator, environment } = await withDuplicates(context);
  const at = '2026-03-02T12:00:00.000Z';
  const settings = { at, hookUrl: url, signed: true };
  const state = { began: at, settings, old: 'suspend', wasActive: true, storeSecret: false } as const;
  const rotation = { ...state, secretCheck: { salt: 'a', hash: 'b' }, successor: two };
  const host = await inFront(context, environment['WM_HOST'], ({ url = '' }, response) => {
    if (!url.split('?')[0]?.endsWith('/webhooks')) return false;
    response.writeHead(403, { 'content-type': 'application/json' });
    response.end('{"error":"access_forbidden","errorDescription":"no"}');
    return true;
  });
  const setting = { environment: { WM_HOST: host } };
  await writeLocal({ ...environment, WM_HOST: host }, { [one]: { rotation } });
  const ran = await wm(['webhook', 'suspend', one, '--yes'], setting);
  assert.equal(ran.status, 0, ran.errors);
  assert.match(ran.errors, /^Cannot list the other webhooks of the URL: /m);
  assert.match(
    ran.errors,
    new RegExp(`^Webhook ${two}, the successor of ${one}, may deliver to the same URL`, 'm'),
  );
  assert.ok(!ran.errors.includes('No active webhook'), ran.errors);
  const { body } = await call(emulator, 'GET', `/webhooks/${one}`);
  assert.equal(body.data[0].status, 'Suspended');
  const all = await wm(['webhook', 'suspend', one, '--same-url', '--yes'], setting);
  assert.notEqual(all.status, 0, 'all of a URL that cannot be listed');
});

test('names ten of many webhooks at one URL', async (context) => {
  const { wm, one, emulator } = await withDuplicates(context);
  for (let more = 0; more < 8; more++) await call(emulator, 'POST', `/webhooks?${query({ hookUrl: url })}`);
  const ran = await wm(['webhook', 'suspend', one, '--yes']);
  assert.match(ran.errors, /^11 more active webhooks deliver to .*:\n(?: {2}IE.*\n){10} {2}and 1 more\n/m);
  assert.match(ran.errors, /^11 active webhooks still deliver to [^:]+:\S+ (?:IE\w+, ){9}IE\w+ and 1 more$/m);
});

test('on a terminal, one key suspends all webhooks of the URL', async (context) => {
  const stage = await setStage(context);
  const [firstId = ''] = await createAll(stage);
  const terminal = openInProcess(context, stage, `wm webhook suspend ${firstId}`, { columns: 200 });
  await terminal.shows('3 more active webhooks deliver to');
  await terminal.shows('(y/N, a: all 4 of this URL)', `a${key.enter}`);
  await terminal.shows(
    'No active webhook of this application delivers to https://hooks.example.com/billing now.',
  );
  assert.equal(await terminal.ended, 0);
});

test('on a terminal, answering no for several URLs deletes nothing', async (context) => {
  const stage = await setStage(context);
  const ids = await createAll(stage);
  const terminal = openInProcess(context, stage, `wm webhook delete ${ids[0]} ${ids[4]}`, { columns: 200 });
  await terminal.shows('(y/N, a: all 5 of these URLs)', `n${key.enter}`);
  await terminal.shows('Not confirmed; nothing was done');
  assert.equal(await terminal.ended, 2);
  assert.equal((await call(stage.emulator, 'GET', '/webhooks')).body.data.length, hookUrls.length);
});

test('the confirmation of many shows the account and the first and last ten on one screen of 80x24', async (context) => {
  const stage = await setStage(context);
  const base = 'https://hooks.example.com/a-gateway/of-many-tenants/and-their-environments';
  for (let index = 1; index <= 25; index++)
    await call(stage.emulator, 'POST', `/webhooks?${query({ hookUrl: `${base}/${index}/incoming` })}`);
  const terminal = openInProcess(context, stage, 'wm webhook suspend --all', { columns: 80, rows: 24 });
  const lines = await terminal.screenShows('Suspend these 25 webhooks? (y/N)');
  const end = lines.findIndex((line) => line.includes('Suspend these 25'));
  assert.equal(lines[end - 1], 'Account Paper Lantern Studio, as Ada Fields', lines.join('\n'));
  assert.match(lines[end - 2] ?? '', /^ {2}htt.*\/25\/.*\(IEA\S+\)$/);
  assert.equal(lines[end - 12], '  ... and 5 more ...');
  assert.match(lines[end - 22] ?? '', /^ {2}htt.*\/1\//);
  terminal.type(`n${key.enter}`);
  assert.equal(await terminal.ended, 2);
});

test('at 80 columns, scope and events tell webhooks of one URL apart, with whole ids', async (context) => {
  const stage = await setStage(context);
  const at80 = (line: string) => openInProcess(context, stage, line, { columns: 80, rows: 24 });
  for (const flags of [
    'TaskCreated',
    'CommentAdded,TaskDeleted,TaskStatusChanged',
    'TaskCreated --folder Website',
  ])
    await at80(`wm webhook create ${url} --yes --quiet --events ${flags}`).ended;
  const { data } = (await call(stage.emulator, 'GET', '/webhooks')).body;
  const [firstId, secondId, thirdId]: readonly string[] = data.map(({ id }: { readonly id: string }) => id);
  const rows = [
    [firstId, /account, TaskCreated/],
    [secondId, /CommentAdded and 2 more/],
    [thirdId, / Website, TaskCreated/],
  ] as const;
  const list = at80('wm webhook list');
  await list.ended;
  const lines = await list.screenShows('Only webhooks');
  for (const [id, pattern] of rows)
    assert.match(lines.find((line) => line.endsWith(id ?? '?')) ?? '', pattern, lines.join('\n'));
  const picker = at80('wm webhook suspend billing');
  const shown = await picker.screenShows('3 of 3');
  for (const [id, pattern] of rows)
    assert.match(shown.find((line) => line.includes(`  ${id}`)) ?? '', pattern, shown.join('\n'));
  picker.type(key.interrupt);
  await picker.ended;
});

test('a list shows scope and events of a labelled webhook too, if others of its URL need them', async (context) => {
  const stage = await setStage(context);
  const onTerminal = async (line: string) => {
    const terminal = openInProcess(context, stage, line, { columns: 200 });
    assert.equal(await terminal.ended, 0, terminal.text);
    return terminal.text;
  };
  for (const flags of ['TaskCreated', 'TaskDeleted', 'CommentAdded'])
    await onTerminal(`wm webhook create ${url} --yes --quiet --events ${flags}`);
  const { data } = (await call(stage.emulator, 'GET', '/webhooks')).body;
  await onTerminal(`wm webhook label ${data[2].id} night`);
  const covers = (await onTerminal('wm webhook list')).match(
    /(?<= )(?:account|\w+(?:Created|Deleted|Added))\b.*(?= IE)/gm,
  );
  assert.deepEqual(
    covers?.map((text) => text.trim()),
    ['TaskCreated', 'TaskDeleted', 'CommentAdded'],
  );
  for (const { id } of data) await onTerminal(`wm webhook label ${id} label-${id.slice(-4)}`);
  assert.match(
    await onTerminal('wm webhook list'),
    /^status +url +label +scope +id/m,
    'the labels are enough',
  );
});

test('the picker of resume lists suspended webhooks first; results of several take one line each', async (context) => {
  const stage = await setStage(context);
  const [, secondId = '', thirdId = ''] = await createAll(stage);
  for (const id of [secondId, thirdId]) await call(stage.emulator, 'PUT', `/webhooks/${id}?status=Suspended`);
  const terminal = openInProcess(context, stage, 'wm webhook resume hooks.example.com --no-verify', {
    columns: 80,
    rows: 24,
  });
  const lines = await terminal.screenShows('5 of 5');
  const statuses = lines.filter((line) => line.includes('[ ]')).map((line) => /\w+$/.exec(line)?.[0]);
  assert.deepEqual(statuses, ['Suspended', 'Suspended', 'Active', 'Active', 'Active'], lines.join('\n'));
  terminal.type(key.tab);
  await terminal.shows('1 marked', key.tab);
  await terminal.shows('Enter: choose the 2 marked', key.enter);
  await terminal.shows('Resume these 2 webhooks?', `y${key.enter}`);
  assert.equal(await terminal.ended, 0);
  const end = await terminal.screenShows(() => true);
  for (const id of [secondId, thirdId])
    assert.ok(
      end.some((line) => /^Active .* /.test(line) && line.endsWith(id)),
      end.join('\n'),
    );
});
