// What a file of webhooks may not be: each mistake is named with its line, nothing is sent, and no file takes long to reject.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { testRejected } from './rejected-file.ts';
import { fileOf, withFile } from './with-file.ts';

const url = 'url: http://hooks.example.com/a';
const all = 'events: all';
const account = 'scope: account';
/** A complete webhook of the lines 3 to 5, and these lines. */
const complete = (...lines: readonly string[]) => fileOf([url, account, all, ...lines].join('\n'));
/** Without its events, which would be in line 5. */
const begun = (...lines: readonly string[]) => fileOf([url, account, ...lines].join('\n'));

test('reports an empty path', async (context) => {
  const { wm } = await withFile(context);
  for (const command of ['apply', 'diff'])
    assert.equal(
      (await wm(['webhook', command, ''])).errors,
      'wm: The path of the file is empty\n  To write one: wm webhook export > hooks.yaml\n',
    );
  assert.equal((await wm(['batch', ''])).errors, 'wm: FILE: the path of the file is empty\n');
});

/** What the file is, and what the error says of it. */
const mistakes: readonly (readonly [text: string, ...messages: string[]])[] = [
  ['', 'line 1: the file is empty'],
  ['# nothing', 'line 1: the file is empty'],
  ['just text', 'line 1: the file is not a map (version, webhooks)'],
  ['webhooks: []', 'line 1: the file has no version: write version: 1'],
  ['version: 2\nwebhooks: []', 'line 1: version is not 1'],
  ['version: "1"\nwebhooks: []', 'line 1: version is not 1'],
  ['version: [1]\nwebhooks: []', 'line 1: version is not 1'],
  ['version: 1', 'line 1: the file has no list of webhooks; for none, write webhooks: []'],
  ['version: 1\nwebhooks:', 'line 2: the file has no list of webhooks'],
  ['version: 1\nwebhook: []', 'line 2: the file has no "webhook". Did you mean webhooks?'],
  ['version: 1\nwebhooks: []\nwebhooks: []', 'line 3: "webhooks" is given twice; first on line 2'],
  ['version: 1\nwebhooks: [', 'line 2: '],
  ['version: 1\nwebhooks: []\n? [a]\n: b', 'line 3: a key must be a word'],
  [fileOf(`&a ${url}`, '*a'), '*a is an alias, which wm does not read here'],
  [fileOf(`${url}\n<<: {events: all}`), 'line 4: a webhook has no "<<"'],
  [fileOf(`url: !!binary aGk=`), '!!binary is a tag'.slice(2)],
  ['- a', 'line 1: the file is not a map (version, webhooks)'],
  ['version: 1\nwebhooks:\n  url: a', 'line 3: the file has no list of webhooks'],
  [fileOf(`- ${url}`), 'line 3: a webhook is not a map (label, url'],
  ['version: 1\nwebhooks: []\n---\nversion: 1', 'line 3: a second document begins; wm reads one'],
  [`version: 1\nwebhooks:\n\t- ${url}`, 'line 3: Tabs are not allowed as indentation'],
  [
    `version: 1\r\nwebhooks:\r\n  - ${url}\r\n    ${account}\r\n    evens: all\r\n`,
    'line 5: a webhook has no "evens"',
  ],
  [complete(url), 'line 6: "url" is given twice; first on line 3'],
  [complete('__proto__: {a: 1}'), 'line 6: a webhook has no "__proto__"'],
  [complete('id: IEAAAAAQW1'), 'line 6: a webhook has no "id". wm finds the webhook by its url and scope'],
  [complete('label: IEAAAAAQW1234'), 'line 6: label: "IEAAAAAQW1234" looks like an id'],
  [
    fileOf(`${url}\n${account}\n${all}\nlabel: Ab`, `${url}2\n${account}\n${all}\nlabel: aB`),
    'line 7: the webhook on line 3 has the label "aB" too',
  ],
  [complete('secret: {value: hunter2}'), 'line 6: secret has no "value"'],
  [complete('secret: {variable: "hunter2!"}'), 'line 6: variable: the value, which'],
  [complete('secret: {stored: "hunter2 !"}'), 'line 6: stored: the value, which'],
  [complete('secret: {xyz: a}'), 'secret has no "xyz". It has: variable, stored'],
  [fileOf('text'), 'line 3: a webhook is not a map'],
  [fileOf(`${account}\n${all}`), 'line 3: a webhook has no url'],
  [
    begun('event: all'),
    'line 5: a webhook has no "event". Did you mean events?',
    'line 3: a webhook has no events',
  ],
  [begun('nothing_like_it: 1'), 'It has: label, url, scope'],
  [fileOf(`url: 12\n${account}\n${all}`), 'line 3: url: 12 is not text'],
  [fileOf(`url: ""\n${account}\n${all}`), 'line 3: url: ""'],
  // Against the emulator, as `webhook create` refuses them everywhere.
  ...['bad.example.com/team1', 'not a url', 'ftp://x/y', 'https://'].map(
    (text) =>
      [
        fileOf(`${account}\nurl: ${text}\n${all}`),
        `line 4: url: "${text}" is not an http or https URL`,
      ] as const,
  ),
  [fileOf(`url: http://10.0.0.1/\n${account}\n${all}`), 'line 3: url: "http://10.0.0.1/" points to 10.0.0.1'],
  [fileOf(`${url}\n${all}`), 'line 3: a webhook has no scope: account, {folder: ID} or {space: ID}'],
  [fileOf(`${url}\nscope: everything\n${all}`), 'line 4: scope is not account, {folder: ID} or {space: ID}'],
  [fileOf(`${url}\nscope: {folder: A, space: B}\n${all}`), 'line 4: scope is not account'],
  [fileOf(`${url}\nscope: {}\n${all}`), 'line 4: scope is not account'],
  [fileOf(`${url}\nscope: {folders: A}\n${all}`), 'line 4: scope has no "folders". Did you mean folder?'],
  [fileOf(`${url}\nscope: {folder: ""}\n${all}`), 'line 4: folder: ""'],
  [fileOf(`${url}\nscope: {space: 12}\n${all}`), 'line 4: space: 12 is not text'],
  [fileOf(`${url}\n${account}\nrecursive: true\n${all}`), 'recursive goes with a folder or a space'],
  [fileOf(`${url}\n${account}\nrecursive: maybe\n${all}`), 'line 5: recursive: "maybe"'],
  [
    begun('events:', '  - TaskCreated', '  - TaskCraeted'),
    'line 7: events: "TaskCraeted" is not an event. Did you mean TaskCreated?',
  ],
  [begun('events: [xyzzy]'), 'To list them: wm webhook events'],
  [begun('events: []'), 'line 5: events is an empty list: leave it out'],
  [begun('events: TaskCreated'), 'line 5: events is neither a list nor the word all'],
  [begun('events: {a: b}'), 'line 5: events is not a list'],
  [
    complete('parameterisedEvents: [{event: TaskDeleted}]'),
    'line 3: events: all and parameterisedEvents contradict each other',
  ],
  [
    begun('events: [TaskDeleted]', 'parameterisedEvents: [{event: TaskDeleted}]'),
    '"TaskDeleted" is in both events and parameterisedEvents',
  ],
  [
    begun('parameterisedEvents:', '  - event: TaskDeleted', '    recurrent: true'),
    '"recurrent" is not a filter of TaskDeleted',
  ],
  [complete('customItemTypes: [short]'), 'customItemTypes: "short"'],
  [complete('status: active'), 'line 6: status: "active"'],
  [complete('label: ""'), 'line 6: label: ""'],
  [complete('secret: hunter2'), 'line 6: secret names where the secret is, and is never the secret itself'],
  [complete('secret: {variable: A, stored: B}'), 'line 6: secret is not {variable: NAME} or {stored: ID}'],
  [
    complete('secret: {variable: A-B}'),
    'line 6: variable: the value, which is not shown here, is not the name of a variable',
  ],
  [complete('secret: {variable: WM_TOKEN}'), 'WM_TOKEN belongs to wm'],
  [
    complete('secret: {stored: "a b"}'),
    'line 6: stored: the value, which is not shown here, is not the id of a webhook',
  ],
  [complete('secret: []'), 'line 6: secret is not a map'],
  [complete('notShown: [event]'), 'notShown: "event"'],
  [complete('notShown: [events]'), 'events has a value and is in notShown'],
  [
    fileOf(`${url}\n${account}\n${all}`, `${url}/\n${account}\n${all}`, `${url}\n${all}\n${account}`),
    'line 9: this is the same webhook as on line 3',
  ],
  [
    fileOf(
      `${url}\n${account}\nevents: [TaskCreated, TaskDeleted]\nlabel: x`,
      `${url}\n${account}\nevents: [TaskDeleted, TaskCreated]\nlabel: x`,
    ),
    'line 7: this is the same webhook as on line 3',
    'line 7: the webhook on line 3 has the label "x" too',
  ],
];

test('accepts titles and permalinks of folders and spaces; reads each list once', async (context) => {
  const { wm, write } = await withFile(context);
  const { permalink } = JSON.parse((await wm(['api', 'GET', `/folders/${sample.folder}`])).output).data[0];
  const inScope = (path: string, scope: string) =>
    `url: http://hooks.example.com/${path}\nscope: ${scope}\n${all}`;
  const [space] = JSON.parse((await wm(['space', 'list', '--json'])).output);
  const scopes = ['{folder: website}', `{folder: "${permalink}"}`, `{folder: ${sample.folder}}`];
  const file = await write(
    fileOf(
      ...scopes.map((scope, index) => inScope(String(index), scope)),
      inScope('s', `{space: ${space.title}}`),
    ),
  );
  const ran = await wm(['webhook', 'apply', file, '--yes', '--verbose']);
  assert.equal(ran.status, 0, ran.errors);
  assert.equal(ran.errors.match(/GET \S+\/folders /g)?.length, 1, ran.errors);
  const hooks = JSON.parse((await wm(['webhook', 'list', '--json'])).output);
  assert.equal(hooks.filter((hook: { folderId?: string }) => hook.folderId === sample.folder).length, 3);
  assert.equal((await wm(['webhook', 'diff', file])).status, 0);
  const duplicate = await write(
    fileOf(inScope('a', '{folder: Website}'), inScope('a', `{folder: ${sample.folder}}`)),
  );
  assert.match(
    (await wm(['webhook', 'diff', duplicate])).errors,
    /line 6: this is the same webhook as on line 3/,
  );
  const wrong = await write(fileOf(inScope('a', '{folder: Wesbite}'), inScope('b', '\n  space: nowhere')));
  const missing = await wm(['webhook', 'apply', wrong, '--yes']);
  assert.equal(missing.status, 2, missing.errors);
  assert.match(
    missing.errors,
    /line 4: folder: "Wesbite" is not the title of a folder or project\. Did you mean "?Website"?\?/,
  );
  assert.match(missing.errors, /line 8: space: "nowhere" is not the title of a space/);
});

test('accepts two identical webhooks of which one is suspended, as after a rotation', async (context) => {
  const { wm, write, diff } = await withFile(context);
  const create = async () =>
    JSON.parse(
      (await wm(['webhook', 'create', 'http://hooks.example.com/a', '--events', 'all', '-y', '--json']))
        .output,
    ).id;
  const old = await create();
  assert.equal((await wm(['webhook', 'suspend', old, '--yes'])).status, 0);
  const current = await create();
  const exported = (await wm(['webhook', 'export'])).output;
  await write(exported);
  const { status, lines, errors } = await diff();
  assert.equal(status, 0, errors);
  assert.deepEqual(lines, ['same | a | the account | ', 'same | a | the account | ']);
  assert.equal((await wm(['webhook', 'resume', old, '--yes'])).status, 0);
  assert.equal((await wm(['webhook', 'suspend', current, '--yes'])).status, 0);
  assert.deepEqual((await diff()).lines, ['same | a | the account | ', 'same | a | the account | ']);
  await write(exported.replace('status: Suspended', 'status: Active'));
  assert.match((await diff()).errors, /line \d+: this is the same webhook as on line \d+/);
});

test('reports each mistake with its line, and sends nothing', async (context) => {
  const { wm, write } = await withFile(context);
  for (const [text, ...messages] of mistakes) {
    const file = await write(text);
    const ran = await wm(['webhook', 'diff', file], {
      world: { http: { send: async () => assert.fail('nothing may be sent') } },
    });
    assert.equal(ran.status, 2, `${text}\n${ran.output}${ran.errors}`);
    for (const message of messages)
      assert.ok(ran.errors.includes(message), `${text}\n${message}\n${ran.errors}`);
    assert.doesNotMatch(ran.errors, /hunter2/);
  }
});

test('accepts a byte order mark and Windows line endings', async (context) => {
  const { write, diff } = await withFile(context);
  await write(`\ufeff${fileOf(`${url}\n${account}\n${all}`)}`.replaceAll('\n', '\r\n'));
  assert.deepEqual((await diff()).lines, ['create | a | the account | the service has no such webhook']);
});

test('reports the first twenty mistakes, and counts the rest', async (context) => {
  const { wm, write } = await withFile(context);
  const ran = await wm(['webhook', 'diff', await write(fileOf(...Array.from({ length: 30 }, () => 'x: 1')))]);
  assert.match(ran.errors, /has 120 mistakes; nothing was done/);
  assert.match(ran.errors, /and 100 more/);
});

test('rejects a URL the service never delivers to, except against a service on this machine', async (context) => {
  const { wm, write } = await withFile(context);
  const file = await write(fileOf(`url: http://127.0.0.1:8080/\n${account}\n${all}`));
  const remote = { WM_HOST: 'api.example.com' };
  const ran = await wm(['webhook', 'diff', file], { environment: remote });
  assert.equal(ran.status, 2, ran.errors);
  assert.match(ran.errors, /line 3: url: "http:\/\/127.0.0.1:8080\/" has port 8080/);
  assert.equal((await wm(['webhook', 'diff', file])).status, 10);
});

for (const [description, text] of [
  ['deep lists in a line', '- '.repeat(50_000)],
  ['deep flow lists', `version: ${'['.repeat(8_000)}`],
  ['deep flow maps', '{a: '.repeat(5_000)],
  ['a deep tree', Array.from({ length: 150 }, (_, depth) => `${' '.repeat(depth)}a:`).join('\n')],
  ['an indentation of a million', `version: 1\n${' '.repeat(1_000_000)}a: 1`],
  [
    'a bomb of aliases',
    [
      'a0: &a0 [x, x, x]',
      ...Array.from({ length: 30 }, (_, index) => `a${index + 1}: &a${index + 1} [*a${index}, *a${index}]`),
    ].join('\n'),
  ],
  ['bytes that are no text', Buffer.from([0xc3, 0x28, 0xff])],
  ['a huge file', Buffer.alloc(3 * 1024 * 1024, 0x20)],
] as const) {
  testRejected(description, text);
}

test('reads standard input, JSON and UTF-16; rejects a missing file and a folder', async (context) => {
  const { wm, folder } = await withFile(context);
  const json = '{"version": 1, "webhooks": []}';
  assert.equal((await wm(['webhook', 'diff', '-'], { input: json })).status, 0);
  const file = join(folder, 'utf16.yaml');
  await writeFile(file, Buffer.from(`\ufeff${json}`, 'utf16le'));
  assert.equal((await wm(['webhook', 'diff', file])).status, 0);
  const missing = await wm(['webhook', 'diff', join(folder, 'none.yaml')]);
  assert.equal(missing.status, 2);
  assert.match(missing.errors, /none.yaml does not exist\n {2}To write one: wm webhook export > hooks.yaml/);
  const isFolder = await wm(['webhook', 'diff', folder]);
  assert.equal(isFolder.status, 2);
  assert.match(isFolder.errors, /Cannot read/);
  const noText = await wm(['webhook', 'diff', '-'], { input: 'just text' });
  assert.match(noText.errors, /^wm: Standard input has a mistake/);
});
