// Lists that come in pages: all of them are read, empty ones too, and one that never ends is an error. The list is
// that of users, in which `wm` looks a name up.

import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { createLoopCheck } from '#client/follow-pages.ts';
import { sample } from '#emulator/state/sample-ids.ts';
import { run } from '#test/support/program/program.ts';
import { jsonReply, startRawServer } from '#test/support/service/raw-server.ts';
import { json, megabyte, serve } from '../client/large-response.ts';

interface Page {
  readonly names: readonly string[];
  readonly next?: string;
}

const users = (page: Page) =>
  page.names.map((firstName, at) => ({ id: `KUAAAA${page.names.length}${at}`, firstName, lastName: 'X' }));

/** Looks Cleo up in a list that comes in these pages, the n-th request getting the n-th; after the last, that again. */
async function findUser(context: TestContext, status: number, pages: readonly Page[]) {
  const tokens: (string | null)[] = [];
  const server = await startRawServer((request) => {
    const target = /^GET (\S+)/.exec(request)?.[1] ?? '';
    const page = pages[Math.min(tokens.length, pages.length - 1)] ?? { names: [] };
    tokens.push(new URL(target, 'http://x').searchParams.get('nextPageToken'));
    const next = page.next === undefined ? {} : { nextPageToken: page.next };
    return jsonReply(200, { kind: 'contacts', data: users(page), ...next });
  });
  context.after(() => server.close());
  const ran = await run(['task', 'update', sample.task, '--add-responsibles', 'Cleo X', '--dry-run'], {
    exit: status,
    environment: { WM_TOKEN: 'T', WM_HOST: server.host },
  });
  return { ...ran, tokens };
}

test('reads every page with the token of the previous one', async (context) => {
  const ran = await findUser(context, 0, [
    { names: ['Ada', 'Ben'], next: 'b/2' },
    { names: ['Dan'], next: 'c' },
    { names: ['Eva', 'Fay', 'Cleo'] },
  ]);
  assert.match(ran.output, /addResponsibles=%5B%22KUAAAA32%22%5D/);
  assert.deepEqual(ran.tokens, [null, 'b/2', 'c']);
});

test('follows the tokens of empty pages to the end', async (context) => {
  const ran = await findUser(context, 0, [
    { names: [], next: 'p1' },
    { names: ['Ada', 'Ben'], next: 'p2' },
    { names: [], next: 'p3' },
    { names: [], next: 'p4' },
    { names: ['Eva', 'Fay', 'Cleo'] },
  ]);
  assert.deepEqual(ran.tokens, [null, 'p1', 'p2', 'p3', 'p4']);
});

test('a token that is not a string is an error, not the end of the list', async (context) => {
  const server = await startRawServer(() =>
    jsonReply(200, { kind: 'tasks', data: [{ id: sample.task }], nextPageToken: 12 }),
  );
  context.after(() => server.close());
  for (const line of [
    ['task', 'list'],
    ['api', 'get', '/tasks', '--paginate'],
  ]) {
    const ran = await run(line, { exit: 1, environment: { WM_TOKEN: 'T', WM_HOST: server.host } });
    assert.match(ran.errors, /nextPageToken is not a text/);
  }
});

test('a repeated token is an error, whatever its page', async (context) => {
  for (const [pages, tokens] of [
    [
      [['Ada'], ['Ben', 'Dan']],
      ['place', 'place'],
    ],
    [
      [[], []],
      ['place', 'place'],
    ],
    [
      [['Ada'], [], ['Ben', 'Dan']],
      ['a', 'b', 'a'],
    ],
  ] as const) {
    const ran = await findUser(
      context,
      1,
      pages.map((names, at) => ({ names, next: tokens[at] ?? '' })),
    );
    assert.match(ran.errors, /The list has no end: the service returned a nextPageToken that it had/);
    assert.equal(ran.tokens.length, pages.length);
  }
});

test('reads up to a thousand empty pages in a row', () => {
  const loop = createLoopCheck();
  for (let page = 0; page < 1000; page++) loop.assertNewPage([]);
  assert.throws(() => loop.assertNewPage([]), /The list has no end: the service returned 1001 empty pages/);
});

test('the same page twice in a row is an error, whatever its token', async (context) => {
  const names = ['Ada', 'Ben'];
  for (const tokens of [
    ['again', 'again'],
    ['t1', 't2'],
  ]) {
    const pages = tokens.map((next) => ({ names, next }));
    const ran = await findUser(context, 1, pages);
    assert.match(ran.errors, /The list has no end/);
    assert.deepEqual(ran.tokens, [null, tokens[0]]);
  }
});

test('pages that repeat in a cycle are an error, even if each has its token', async (context) => {
  const turns = [
    { names: ['Ada'], next: 'b' },
    { names: ['Ada', 'Ben'], next: 'c' },
    { names: ['Ada', 'Ben', 'Dan'], next: 'a' },
  ];
  const ran = await findUser(context, 1, [...turns, ...turns, ...turns, ...turns]);
  assert.match(ran.errors, /The list has no end/);
  assert.ok(ran.tokens.length < 12, String(ran.tokens));
});

test('pages with the same first and last record are different pages', () => {
  const list = (...ids: string[]) => ids.map((id) => ({ id }));
  const loop = createLoopCheck();
  loop.assertNewPage(list('A', 'B', 'C'));
  loop.assertNewPage(list('A', 'X', 'C'));
  assert.throws(() => loop.assertNewPage(list('A', 'X', 'C')), /The list has no end/);
});

/** Lists of two pages, each larger than wm reads unless the request asks for at most 500 records. */
const longLists: Readonly<Record<string, readonly object[]>> = {
  tasks: [
    { id: sample.task, title: 'First' },
    { id: 'IEAAAAAQKQAB5BN2', title: 'Last one' },
  ],
  contacts: [
    { id: 'KUAAAAA1', firstName: 'First' },
    { id: 'KUAAAAA2', firstName: 'Last', me: true },
  ],
  customfields: [
    { id: 'IEAAAAAQJUAB5001', title: 'First', type: 'Text' },
    { id: 'IEAAAAAQJUAB5002', title: 'Last', type: 'Text' },
  ],
  folders: [
    { id: 'IEAAAAAQI4AB5001', title: 'First' },
    { id: 'IEAAAAAQI4AB5002', title: 'Last', scope: 'WsFolder', childIds: [] },
  ],
  spaces: [],
};

const create = ['webhook', 'create', 'https://example.com/hook'];
for (const [line, expected] of [
  [['task', 'get', 'Last one', '-q'], /IEAAAAAQKQAB5BN2/],
  [['task', 'update', 'Last one', '--title', 'x', '--dry-run'], /PUT \S+\/tasks\/IEAAAAAQKQAB5BN2/],
  [['task', 'update', sample.task, '--add-responsibles', 'Last', '--dry-run'], /KUAAAAA2/],
  [['contact', 'list', '-q'], /KUAAAAA2/],
  [['folder', 'list', '-q'], /IEAAAAAQI4AB5002/],
  [['whoami', '-q'], /KUAAAAA2/],
  [[...create, '--filter', 'TaskCustomFieldChanged:customFields=Last', '--dry-run'], /IEAAAAAQJUAB5002/],
] as const)
  test(`${line.join(' ')}: reads a list that is too large in smaller pages`, async (context) => {
    const sizes: (string | null)[] = [];
    const host = await serve(context, ({ url = '' }, response) => {
      const { pathname, searchParams } = new URL(url, 'http://x');
      const [kind = '', id] = pathname.replace('/api/v4/', '').split('/');
      if (kind === 'account')
        return void response.writeHead(200, json).end('{"kind":"accounts","data":[{"id":"IEAAAAAQ"}]}');
      const records = longLists[kind] ?? [];
      const size = searchParams.get('pageSize');
      if (id === undefined) sizes.push(size);
      if (id === undefined && (size === null || Number(size) > 500)) {
        response.writeHead(200, { ...json, 'Content-Length': 40 * megabyte }).flushHeaders();
        return;
      }
      const isFirst = searchParams.get('nextPageToken') === null;
      const page =
        id === undefined
          ? records.slice(isFirst ? 0 : 1, isFirst ? 1 : 2)
          : records.filter((record) => Object.values(record).includes(id));
      const next = id === undefined && isFirst ? { nextPageToken: 'next' } : {};
      response.writeHead(200, json).end(JSON.stringify({ kind, data: page, ...next }));
    });
    const { output } = await run([...line], { exit: 0, environment: { WM_TOKEN: 'T', WM_HOST: host } });
    assert.match(output, expected);
    assert.ok(sizes.includes('500'), String(sizes));
  });
