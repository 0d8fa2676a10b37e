// `wm contract probe` against the emulator in its modes: it only reads, sees what the emulator is built on, keeps no data in a
// record, and judges the record like the service.

import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { assumptions, type EmulatorMode } from '#contract/assumption.ts';
import { makeFifo } from '#test/support/disk/fifo.ts';
import { ownFolder } from '#test/support/disk/own-folder.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { run } from '#test/support/program/program.ts';
import { jsonReply, type Reply, startRawServer } from '#test/support/service/raw-server.ts';
import { enums } from '#test/witness/records.ts';
import { createWorld } from '#world/create-world.ts';

interface Finding {
  readonly id: string;
  readonly source: string;
  readonly verdict: string;
  readonly why: string;
}

const byVerdict = (findings: readonly Finding[], verdict: string) =>
  findings.filter((finding) => finding.verdict === verdict).map(({ id }) => id);

/** What differs from an assumption in each mode, as its row says. */
const differences: Readonly<Record<EmulatorMode, readonly string[]>> = {
  default: [],
  bare: ['list-pages', 'webhook-record'],
  strict: ['plain-lists', 'trailing-slash', 'unknown-parameter', 'unencoded-json', 'plus-sign'],
};

for (const mode of ['default', 'bare', 'strict'] as const)
  test(`${mode}: sends only GET requests, and a recording of them gives the same verdicts`, async (context) => {
    const { emulator, folder, wm } = await emulated(context, { mode });
    for (const event of ['TaskCreated', 'TaskDeleted'])
      await wm(['webhook', 'create', 'https://example.com/hook', '--events', event, '--yes']);
    const file = join(folder, 'probe.json');
    const { status, output, errors } = await wm(['contract', 'probe', '--json', '--record', file]);
    assert.deepEqual([status, errors], [0, '']);
    const findings: readonly Finding[] = JSON.parse(output);
    assert.deepEqual(
      findings.map(({ id, source }) => [id, source]),
      assumptions.map(({ id, source }) => [id, source]),
    );
    assert.deepEqual(byVerdict(findings, 'differs').sort(), [...differences[mode]].sort());
    const shown = byVerdict(findings, 'held').length + byVerdict(findings, 'differs').length;
    assert.ok(shown >= 32, String(byVerdict(findings, 'not seen')));
    for (const { verdict, why, id } of findings) assert.equal(why === '', verdict === 'held', id);

    const replayed = await run(['contract', 'probe', '--json', '--replay', file]);
    assert.deepEqual([replayed.status, replayed.errors], [0, '']);
    assert.equal(replayed.output, output);

    const { requests } = (await (await fetch(`${emulator.controlUrl}/requests`)).json()) as {
      requests: { method: string; path: string }[];
    };
    const changes = requests.filter(({ method, path }) => method !== 'GET' && path.startsWith('/api/'));
    assert.deepEqual(
      changes.map(({ method, path }) => `${method} ${path}`),
      ['POST /api/v4/webhooks', 'POST /api/v4/webhooks'],
    );
  });

test('a recording contains no ids, names, titles, addresses or tokens', async (context) => {
  const { emulator, folder, wm } = await emulated(context);
  const file = join(folder, 'probe.json');
  assert.equal((await wm(['contract', 'probe', '--record', file])).status, 0);
  const content = await readFile(file, 'utf8');
  const ask = async (path: string) =>
    (
      await fetch(`${emulator.baseUrl}${path}`, { headers: { Authorization: `Bearer ${emulator.token}` } })
    ).text();
  const texts = new Set([emulator.token, emulator.host]);
  for (const list of ['account', 'tasks', 'contacts', 'folders', 'spaces', 'customfields', 'workflows'])
    JSON.parse(await ask(`/${list}`), (name, value) => {
      const isData =
        typeof value === 'string' &&
        value.length > 3 &&
        !/^(?:kind|status|importance|scope|type)$/.test(name);
      if (isData) texts.add(value);
      return value;
    });
  // Words of the contract, which some titles are too.
  for (const { members } of enums) for (const word of members) texts.delete(word);
  assert.ok(texts.size > 100);
  for (const text of texts) assert.ok(!content.includes(JSON.stringify(text)), text);
  const { exchanges } = JSON.parse(content);
  const [tasks, byId] = ['tasks', 'tasks by id'].map((step) =>
    exchanges.find((exchange: { step: string }) => exchange.step === step),
  );
  // The same id is the same one still.
  assert.equal(tasks.body.data[0].id, byId.body.data[0].id);
});

/** Runs the probe against a service that gives these replies. */
async function probe(context: TestContext, reply: Reply, ...typed: readonly string[]) {
  const server = await startRawServer(reply);
  context.after(() => server.close());
  const environment = { WM_HOST: server.host, WM_TOKEN: 'token-of-frank' };
  return run(['contract', 'probe', ...typed], { environment });
}

const page =
  'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 14\r\nConnection: close\r\n\r\n<p>Sign in</p>';

test('a recording omits unknown members and all numbers', async (context) => {
  const { folder } = await emulated(context);
  const strange: unknown = {
    kind: 'tasks',
    responseSize: 4711,
    state: 'the state of another request',
    data: [
      {
        id: 'IEAAAAAQKQAB5BNG',
        title: 'a b',
        alice: 1,
        settings: { johnDoe: [{ mary: 'x' }] },
        constructor: 'y',
      },
      { metadata: [{ key: 'bob', value: 'carol' }], 'dave@example.com': { IEAAAAAQ: 'token-of-erin' } },
    ],
  };
  const file = join(folder, 'probe.json');
  const recorded = await probe(context, () => jsonReply(200, strange), '--record', file);
  assert.equal(recorded.status, 0);
  const content = await readFile(file, 'utf8');
  const secrets = /4711|another request|alice|johnDoe|mary|valueOf|bob|carol|dave|IEAA|erin|frank/;
  assert.doesNotMatch(content, secrets);
  assert.match(content, /"title"/);
});

test('ignores responses from other servers', async (context) => {
  for (const reply of [page, jsonReply(200, { ok: true }), jsonReply(302, '', ['Location: /'])]) {
    const { status, output, errors } = await probe(context, () => reply);
    assert.deepEqual([status, output], [1, ''], errors);
    assert.match(errors, /is not from the service/);
    assert.match(errors, /wm doctor/);
  }
});

test('a request that fails, is forbidden or gets no JSON proves nothing; the others are judged', async (context) => {
  const reply: Reply = (request) => {
    const [head = ''] = request.split('\r\n');
    if (head.includes('/audit_log')) return jsonReply(500, {});
    if (head.includes('/workflows'))
      return jsonReply(403, { error: 'access_forbidden', errorDescription: 'no' });
    if (head.includes('/spaces')) return page;
    return jsonReply(200, { kind: 'version', data: [] });
  };
  const { status, output } = await probe(context, reply, '--json', '--timeout', '1');
  assert.equal(status, 0);
  const findings: readonly Finding[] = JSON.parse(output);
  const whyOf = (id: string) => findings.find((finding) => finding.id === id)?.why;
  assert.match(String(whyOf('audit-log')), /responded with 500/);
  assert.match(String(whyOf('space-id-pattern')), /not JSON/);
  assert.match(String(whyOf('record-shapes')), /not JSON/);
  assert.deepEqual(byVerdict(findings, 'held'), ['version', 'query-length']);
});

test('waits out a rate limit in the middle', async (context) => {
  let requests = 0;
  const server = await startRawServer(() =>
    ++requests === 3
      ? jsonReply(429, { error: 'too_many_requests', errorDescription: 'x' }, ['Retry-After: 40'])
      : jsonReply(200, { kind: 'version', data: [] }),
  );
  context.after(() => server.close());
  const waits: number[] = [];
  const real = createWorld().clock;
  let passed = 0;
  const clock = {
    ...real,
    monotonic: () => real.monotonic() + passed,
    sleep: async (milliseconds: number) => {
      waits.push(Math.round(milliseconds / 1000));
      passed += milliseconds;
    },
  };
  const environment = { WM_HOST: server.host, WM_TOKEN: 'token' };
  const { status, errors } = await run(['contract', 'probe'], { environment, world: { clock } });
  assert.deepEqual([status, waits, errors], [0, [40], 'Rate limit: waiting 40 s\n']);
});

for (const [about, reply, why, exit] of [
  [
    'a rate limit longer than --max-wait',
    jsonReply(429, { error: 'too_many_requests', errorDescription: 'x' }, ['Retry-After: 40']),
    'not sent: the probe ended early (rate limit)',
    6,
  ],
  [
    'a token that has expired',
    jsonReply(401, { error: 'not_authorized', errorDescription: 'x' }),
    'not sent: the probe ended early (a request failed)',
    4,
  ],
] as const)
  test(`${about} ends the probe; earlier responses are judged and recorded`, async (context) => {
    const { folder } = await emulated(context);
    const file = join(folder, 'probe.json');
    let requests = 0;
    const replies = () => (++requests >= 3 ? reply : jsonReply(200, { kind: 'version', data: [] }));
    const typed = ['--json', '--max-wait', '30', '--record', file];
    const { status, output, errors } = await probe(context, replies, ...typed);
    assert.equal(status, exit, errors);
    assert.match(errors, /The probe ended early: /);
    assert.equal(requests, 3);
    const findings: readonly Finding[] = JSON.parse(output);
    assert.deepEqual(byVerdict(findings, 'held'), ['version']);
    assert.deepEqual(byVerdict(findings, 'differs'), ['state-echo']);
    assert.equal(findings.find(({ id }) => id === 'audit-log')?.why, why);
    const replayed = await run(['contract', 'probe', '--json', '--replay', file]);
    assert.deepEqual([replayed.status, replayed.output], [0, output]);
  });

test('reports a service that differs; that is not a failure', async (context) => {
  const folders = jsonReply(200, { kind: 'folders', data: [{ id: 'a/b' }] });
  const { status, output } = await probe(context, () => folders, '--json');
  assert.equal(status, 0);
  const findings: readonly Finding[] = JSON.parse(output);
  const differing = byVerdict(findings, 'differs');
  for (const id of ['state-echo', 'folder-list-kind', 'space-id-pattern', 'task-read', 'version'])
    assert.ok(differing.includes(id), `${id}: ${differing}`);
  assert.equal(differing.filter((id) => id === 'folder-lists').length, 1);
});

test('an unreadable file is a usage error', async (context) => {
  const { folder, wm } = await emulated(context);
  const file = join(folder, 'other.json');
  await writeFile(file, '{"version":1}');
  const text = join(folder, 'text');
  await writeFile(text, 'no JSON');
  for (const [typed, message] of [
    [['--replay', file], /has no exchanges/],
    [['--replay', text], /is not a record of wm contract probe: /],
    [['--replay', `${file}.none`], /does not exist/],
    [['--replay', '-'], /--replay: standard input is empty/],
    [['--replay', file, '--record', file], /cannot be combined/],
  ] as const) {
    const { status, errors } = await wm(['contract', 'probe', ...typed]);
    assert.equal(status, 2);
    assert.match(errors, message);
  }
  const { status } = await wm(['contract', 'probe'], { environment: { WM_TOKEN: 'unknown' } });
  assert.equal(status, 4);
  const unwritten = await wm(['contract', 'probe', '--json', '--record', join(file, 'below')]);
  assert.equal(unwritten.status, 1);
  assert.match(unwritten.errors, /Cannot write \S+: a part of the path is not a folder \(ENOTDIR\)/);
  assert.equal(JSON.parse(unwritten.output).length, assumptions.length);
});

test('--record replaces no device, and no file unasked', async (context) => {
  const { folder, wm } = await emulated(context);
  const file = join(folder, 'mine.json');
  await writeFile(file, 'mine');
  const fifo = join(folder, 'fifo');
  if (process.platform !== 'win32') makeFifo(context, fifo);
  for (const [path, message] of [
    [file, /--record: \S+ exists\n {2}To replace it: --yes/],
    [folder, /--record: \S+ is not a file/],
    ...(process.platform === 'win32' ? [] : [[fifo, /--record: \S+ is not a file/] as const]),
  ] as const) {
    const { status, output, errors } = await wm(['contract', 'probe', '--record', path]);
    assert.deepEqual([status, output], [2, '']);
    assert.match(errors, message);
  }
  assert.equal(await readFile(file, 'utf8'), 'mine');
  assert.equal((await wm(['contract', 'probe', '--record', file, '--yes'])).status, 0);
  assert.notEqual(await readFile(file, 'utf8'), 'mine');
});

const tasksOf = (...records: readonly object[]) => ({ status: 200, body: { kind: 'tasks', data: records } });
const listOf = (kind: string, ...records: readonly object[]) => ({
  status: 200,
  body: { kind, data: records },
});
const forbidden = { status: 403, body: { error: 'access_forbidden' } };
const tooLong = { status: 414 };
const [one, two] = [
  { id: 'T1', title: 'a b' },
  { id: 'T2', title: 'c d' },
];
const titles = (found: object, foundByPart: object) => ({
  tasks: tasksOf(one, two),
  'tasks by title': found,
  'tasks by a part of a title': foundByPart,
});
const page1 = (response: object) => ({ page: response });
const dueDates = (...due: readonly boolean[]) => ({
  'tasks by due date': tasksOf(...due.map((has) => ({ dates: has ? { due: '2000-01-01' } : {} }))),
});
const plus = (spaces: object, pluses: object) => ({
  'title with spaces': spaces,
  'title with plus signs': pluses,
});

for (const [id, responses, verdict, why] of [
  ['version', {}, 'not seen', 'the record does not contain it'],
  ['audit-log', { 'audit log': forbidden }, 'not seen', /^the user or the token may not read it \(403 acc/],
  ['missing-scope', { invitations: forbidden }, 'held', ''],
  ['missing-scope', { invitations: { status: 403, body: { error: 'x' } } }, 'differs', '403 x'],
  ['query-length', { 'long query': tooLong }, 'differs', '414 to 9,000 characters'],
  ['task-lists', { 'active tasks': tasksOf({ status: 'Active' }) }, 'held', ''],
  ['task-title-filter', titles(tasksOf(one), tasksOf(one, two)), 'held', ''],
  ['task-title-filter', titles(listOf('x'), tasksOf()), 'differs', '200 kind x'],
  ['task-title-filter', titles(tasksOf(), tasksOf()), 'differs', /a whole title finds nothing/],
  [
    'task-title-filter',
    titles(tasksOf({ id: 'T3', title: 'e f' }), tasksOf()),
    'differs',
    /finds other tasks/,
  ],
  ['task-title-filter', titles(tasksOf(one), listOf('x')), 'differs', '200 kind x'],
  ['task-title-filter', titles(tasksOf(one), tasksOf(two)), 'differs', /a part of a title does not find it/],
  ['plus-sign', plus(tasksOf(), tasksOf()), 'not seen', /a title with spaces finds nothing/],
  ['plus-sign', plus(tasksOf(one), listOf('x')), 'differs', '200 kind x'],
  ['plus-sign', plus(tasksOf(one), tasksOf()), 'differs', 'a plus sign does not mean a space'],
  ['filter-ids', { 'tasks of nobody': tasksOf(one) }, 'differs', 'the filter responsibles is ignored'],
  ['list-pages', page1(tasksOf()), 'not seen', 'the account has no tasks'],
  ['list-pages', page1(tasksOf(one, two)), 'differs', 'pageSize is ignored'],
  ['list-pages', page1(tasksOf(one)), 'not seen', 'the account has a single task'],
  ['due-date-sort', dueDates(true, true), 'not seen', /^the first tasks do not include/],
  ['due-date-sort', dueDates(true, false), 'held', ''],
  ['due-date-sort', dueDates(false, true), 'differs', 'tasks without a due date are not last'],
  [
    'completed-date',
    { 'active tasks': tasksOf({ completedDate: '2000-01-01' }) },
    'differs',
    'an active task keeps it',
  ],
  [
    'folder-tasks',
    { 'top folders': listOf('folders', { id: 'F1' }), 'tasks of a folder': tasksOf({ parentIds: ['F2'] }) },
    'differs',
    'tasks of other folders are listed',
  ],
  ['inactive-user', { contacts: listOf('contacts', { profiles: [{ active: false }] }) }, 'held', ''],
] as const)
  test(`${id} with ${JSON.stringify(responses)}: ${verdict}`, async (context) => {
    const file = join(await ownFolder(context), 'record.json');
    const exchanges = Object.entries(responses).map(([step, response]) => ({ step, ...response }));
    await writeFile(file, JSON.stringify({ version: 1, exchanges }));
    const { output } = await run(['contract', 'probe', '--json', '--replay', file]);
    const findings: readonly Finding[] = JSON.parse(output);
    const finding = findings.find((finding) => finding.id === id);
    assert.equal(finding?.verdict, verdict);
    if (typeof why === 'string') assert.equal(finding?.why, why);
    else assert.match(finding?.why ?? '', why);
  });
