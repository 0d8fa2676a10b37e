// How the webhooks of the service differ from a file: what is the same, what apply would do, and what cannot be known. The
// webhooks were created on another machine, unless a test records them.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { test } from 'node:test';
import { hooks } from '#test/support/service/scripted-service.ts';
import { createWorld } from '#world/create-world.ts';
import { forget, record } from './hooks-file/local-record.ts';
import { fileOf, withFile } from './hooks-file/with-file.ts';
import { answering } from './records.ts';

const host = 'http://hooks.example.com/';
const folder = 'IEAAAAAQI4AB5FLD';
const space = 'IEAAAAAQI5AB5SPC';
const at = '2026-01-02T03:04:05.000Z';
const account = (name: string, ...extraLines: readonly string[]) =>
  [`url: ${host}${name}`, 'scope: account', ...extraLines].join('\n');
const created = (more: object = {}) => ({ created: { at, hookUrl: host, signed: false, ...more } });
const notCompared = 'not compared: scope, events, parameterisedEvents, customItemTypes, secret';

for (const bare of [false, true]) {
  const mode = bare ? ', with --bare' : '';

  test(`an export has no differences, with and without local records${mode}`, async (context) => {
    const { wm, create, write, diff, ...service } = await withFile(context, {
      mode: bare ? 'bare' : 'default',
    });
    const [a, b] = [await create(`${host}a`), await create(`${host}b`, '--folder', folder)];
    await wm(['webhook', 'suspend', b, '--yes']);
    await write((await wm(['webhook', 'export'])).output);
    const ran = await diff();
    assert.equal(ran.status, 0, ran.errors);
    assert.deepEqual(
      ran.lines.map((line) => line.split(' | ')[0]),
      ['same', 'same'],
    );
    await record(service, { [a]: created(), [b]: created({ folderId: folder }) });
    await write((await wm(['webhook', 'export'])).output);
    assert.deepEqual((await diff()).lines, ['same | a | the account | ', `same | b | folder ${folder} | `]);
    await forget(service);
    const elsewhere = await diff();
    assert.equal(elsewhere.status, 0);
    assert.equal(elsewhere.lines[0], `same | a | the account | ${notCompared}`);
  });

  test(`finds missing webhooks, webhooks not in the file, and a different status${mode}`, async (context) => {
    const { create, write, diff } = await withFile(context, { mode: bare ? 'bare' : 'default' });
    await create(`${host}active`);
    await create(`${host}other`);
    await write(fileOf(account('active', 'events: all', 'status: Suspended'), account('new', 'events: all')));
    const ran = await diff();
    assert.equal(ran.status, 10);
    assert.deepEqual(ran.lines, [
      'create | new | the account | the service has no such webhook',
      'other | other | the account or a space | its URL and scope are not in the file',
      `suspend | active | the account | status: Suspended in the file, Active at the service; ${notCompared}`,
    ]);
    assert.match(ran.errors, /2 of 3 differ from the file/);
    assert.match(ran.errors, /left alone: 1 webhook\. To delete/);
    assert.deepEqual(
      (await diff('--delete-others')).lines[1],
      'delete | other | the account or a space | its URL and scope are not in the file',
    );
  });

  test(`a known difference in any setting requires a replacement${mode}`, async (context) => {
    const { create, write, diff, ...service } = await withFile(context, { mode: bare ? 'bare' : 'default' });
    const id = await create(`${host}a`, '--folder', folder);
    await record(service, { [id]: created({ folderId: folder, events: ['TaskCreated'] }) });
    for (const [lines, why] of [
      [['events: all'], 'events: all in the file, TaskCreated at the service'],
      [['events: [TaskCreated]', 'recursive: true'], 'recursive: true in the file, false at the service'],
      [
        ['parameterisedEvents: [{event: TaskDeleted, fields: [title]}]'],
        'events: none in the file, TaskCreated at the service; parameterisedEvents: [{"event":"TaskDeleted","fields":["title"]}] in the file, none at the service',
      ],
      [
        ['events: [TaskCreated]', 'customItemTypes: [IEAAAAAQPIAAAAAA]'],
        'customItemTypes: IEAAAAAQPIAAAAAA in the file, none at the service',
      ],
      [
        ['events: [TaskCreated]', 'secret: {variable: HOOK}'],
        'secret: signed in the file, not signed at the service',
      ],
    ] as const) {
      await write(fileOf([`url: ${host}a`, `scope: {folder: ${folder}}`, ...lines].join('\n')));
      const ran = await diff();
      assert.equal(ran.status, 10);
      assert.equal(ran.lines.length, 1, ran.lines.join('\n'));
      const [line = ''] = ran.lines;
      assert.ok(line.startsWith('replace | a | '), line);
      assert.ok(line.endsWith(` | ${why}`), `${line}\n${why}`);
    }
  });

  test(`known settings tell apart entries with the same URL and scope${mode}`, async (context) => {
    const { create, write, diff, ...service } = await withFile(context, { mode: bare ? 'bare' : 'default' });
    const [firstId, secondId] = [await create(`${host}a`), await create(`${host}a`)];
    await record(service, {
      [firstId]: created({ events: ['TaskDeleted'] }),
      [secondId]: created({ events: ['TaskCreated', 'TaskTitleChanged'], spaceId: space }),
    });
    await write(
      fileOf(
        `url: ${host}a\nscope: {space: ${space}}\nevents: [TaskTitleChanged, TaskCreated]`,
        account('a', 'events: [TaskDeleted]'),
      ),
    );
    const ran = await diff();
    assert.equal(ran.status, 0, ran.lines.join('\n'));
    assert.deepEqual(ran.lines, [`same | a | space ${space} | `, 'same | a | the account | ']);
    // It covers a space that is not in the file, so the file does not concern it.
    await write(fileOf(account('a', 'events: [TaskDeleted]')));
    assert.deepEqual((await diff()).lines, [
      `other | a | space ${space} | its URL and scope are not in the file`,
      'same | a | the account | ',
    ]);
  });

  test(`indistinguishable webhooks are blocked, unless a flag replaces all of them${mode}`, async (context) => {
    const { create, write, diff } = await withFile(context, { mode: bare ? 'bare' : 'default' });
    await create(`${host}a`);
    await write(fileOf(account('a', 'events: [TaskCreated]'), account('a', 'events: [TaskDeleted]')));
    const ran = await diff();
    assert.equal(ran.status, 10);
    assert.equal(ran.lines.filter((line) => line.startsWith('blocked')).length, 1, ran.lines.join('\n'));
    assert.match(ran.lines.join('\n'), /2 in the file, 1 at the service/);
    const flagged = await diff('--replace-unknown');
    assert.deepEqual(
      flagged.lines.map((line) => line.split(' | ')[0]),
      ['create', 'replace'],
    );
  });

  test(`an incomplete entry is never created${mode}`, async (context) => {
    const { write, diff } = await withFile(context, { mode: bare ? 'bare' : 'default' });
    await write(
      fileOf(
        `url: ${host}a\nscope: account\nnotShown: [events, secret]`,
        account('a', 'events: [TaskCreated]'),
      ),
    );
    const ran = await diff('--replace-unknown');
    assert.equal(ran.status, 10);
    assert.deepEqual(ran.lines, [
      'blocked | a | the account | it cannot be created: the file lacks its events and secret. Add what is missing, and delete notShown',
      'blocked | a | the account | wm does not create it while it is unclear what it replaces',
    ]);
  });
}

test('different events: replaced if the folder is known; otherwise the unknown scope blocks', async (context) => {
  const { create, write, diff } = await withFile(context);
  await create(`${host}a`, '--folder', folder, '--events', 'TaskCreated');
  await create(`${host}b`, '--events', 'TaskCreated');
  await write(
    fileOf(
      `url: ${host}a\nscope: {folder: ${folder}}\nevents: [TaskDeleted]`,
      account('b', 'events: [TaskDeleted]'),
    ),
  );
  const ran = await diff();
  assert.deepEqual(ran.lines, [
    'blocked | b | the account or a space | its scope is unknown, and the file has another webhook for its URL and scope',
    'blocked | b | the account | wm does not create it while it is unclear what it replaces',
    `replace | a | folder ${folder} | events: TaskDeleted in the file, TaskCreated at the service`,
  ]);
  assert.deepEqual(
    (await diff('--replace-unknown')).lines.map((line) => line.split(' | ')[0]),
    ['replace', 'replace'],
  );
});

test('unknown events count as the same, unless a flag replaces the webhook; a second webhook is blocked', async (context) => {
  const { create, write, diff } = await withFile(context, { mode: 'bare' });
  await create(`${host}a`, '--folder', folder);
  await write(fileOf(`url: ${host}a\nscope: {folder: ${folder}}\nevents: [TaskDeleted]`));
  assert.equal((await diff()).status, 0);
  assert.deepEqual((await diff('--replace-unknown')).lines, [
    `replace | a | folder ${folder} | recursive, events, parameterisedEvents, customItemTypes and secret cannot be compared`,
  ]);
  await create(`${host}a`, '--folder', folder);
  const two = await diff();
  assert.equal(two.status, 10);
  assert.match(two.lines.join('\n'), /blocked .*1 in the file, 2 at the service/);
  assert.deepEqual(
    (await diff('--replace-unknown')).lines.map((line) => line.split(' | ')[0]),
    ['delete', 'replace'],
  );
});

test('a surplus webhook with unknown events needs the flag, and so do dependent changes', async (context) => {
  const { create, write, diff, ...service } = await withFile(context, { mode: 'bare' });
  const knownId = await create(`${host}a`, '--folder', folder);
  await create(`${host}a`, '--folder', folder);
  const gone = await create(`${host}a`, '--folder', folder);
  await record(service, {
    [knownId]: created({ folderId: folder, events: ['TaskCreated'] }),
    [gone]: created({ folderId: folder, events: ['TaskDeleted'] }),
  });
  await write(fileOf(`url: ${host}a\nscope: {folder: ${folder}}\nevents: [TaskCreated]`));
  const ran = await diff();
  assert.deepEqual(ran.lines.map((line) => line.split(' | ').at(-1)).toSorted(), [
    '',
    'its events are unknown, and the file has another webhook for its URL and scope',
    'wm does not replace it while it is unclear what replaces it',
  ]);
  assert.deepEqual(
    (await diff('--replace-unknown')).lines.map((line) => line.split(' | ')[0]),
    ['delete', 'delete', 'same'],
  );
});

test('two indistinguishable webhooks, one of them different: a flag replaces both', async (context) => {
  const { create, write, diff } = await withFile(context);
  for (const _ of [1, 2]) await create(`${host}a`, '--folder', folder, '--events', 'TaskCreated');
  const entry = `url: ${host}a\nscope: {folder: ${folder}}\nevents: [TaskCreated]`;
  await write(fileOf(`${entry}\nrecursive: true`, entry));
  const changes = async (...flags: readonly string[]) =>
    (await diff(...flags)).lines.map((line) => line.split(' | ')[0]);
  assert.deepEqual(await changes(), ['blocked', 'blocked', 'same']);

  assert.deepEqual(await changes('--replace-unknown'), ['replace', 'replace']);
});

test('replaces another scope at the same URL, and names both', async (context) => {
  const { create, write, diff, ...service } = await withFile(context);
  const ids = [await create(`${host}a`), await create(`${host}a`)];
  await record(service, Object.fromEntries(ids.map((id) => [id, created({ spaceId: space })])));
  await write(fileOf(`url: ${host}a\nscope: {space: ${space}}\nevents: all`, account('a', 'events: all')));
  assert.deepEqual((await diff()).lines, [
    `replace | a | the account | scope: the account in the file, space ${space} at the service`,
    `same | a | space ${space} | `,
  ]);
});

test('ignores a webhook without a URL, and sets a missing status', async (context) => {
  const { write, file } = await withFile(context);
  const { wm } = await answering(context, {
    'GET webhooks': [hooks({ id: 'IEAAAAAQJAAAAAAB' }, { id: 'IEAAAAAQJAAAAAAC', hookUrl: `${host}a` })],
  });
  await write(fileOf(account('a', 'events: all', 'status: Active')));
  const { output } = await wm(['webhook', 'diff', file]);
  assert.match(output, /^other\tIEAAAAAQJAAAAAAB\tno URL\t/m);
  assert.match(output, /^resume\tIEAAAAAQJAAAAAAC\t.*status: Active in the file, none at the service/m);
});

test('replacing a suspended webhook: the line says that the new one is active', async (context) => {
  const { wm, create, write, diff } = await withFile(context);
  const id = await create(`${host}a`, '--folder', folder, '--events', 'TaskCreated');
  await wm(['webhook', 'suspend', id, '--yes']);
  const entry = `url: ${host}a\nscope: {folder: ${folder}}\nevents: [TaskDeleted]`;
  await write(fileOf(entry));
  assert.match((await diff()).lines[0] ?? '', /; the old one is Suspended, the new one is Active$/);
  await write(fileOf(entry.replace('TaskDeleted', 'TaskCreated')));
  assert.equal((await diff()).status, 0, 'without a status, either is right');
  await write(fileOf(`${entry.replace('TaskDeleted', 'TaskCreated')}\nstatus: Active`));
  assert.match(
    (await diff()).lines[0] ?? '',
    /^resume .*status: Active in the file, Suspended at the service/,
  );
});

test('on a terminal, lists only differences, counts all webhooks, and names the blocked ones', async (context) => {
  const { wm, create, write, file } = await withFile(context);
  const names = Array.from({ length: 30 }, (_, index) => `same${index}`);
  for (const name of names) await create(`${host}${name}`, '--events', 'TaskCreated');
  for (const name of ['blocked', 'other']) await create(`${host}${name}`, '--events', 'TaskCreated');
  const same = names.map((name) => account(name, 'events: [TaskCreated]'));
  const { streams } = createWorld();
  const shown = async () => {
    let output = '';
    const write = async (text: string) => {
      output += text;
    };
    const world = {
      streams: {
        ...streams,
        errors: { ...streams.errors, write: async () => {} },
        output: { ...streams.output, isTerminal: true, columns: 80, write },
      },
    };
    const ran = await wm(['webhook', 'diff', file, '--no-color'], { world });
    return { ...ran, output };
  };
  await write(fileOf(...same));
  const none = await shown();
  assert.deepEqual([none.status, none.output.trim()], [0, '']);
  const quiet = await wm(['webhook', 'diff', file]);
  assert.match(quiet.errors, /^None of 32 differs from the file\.$/m);
  await write(fileOf(...same, account('new', 'events: all'), account('blocked', 'events: [TaskDeleted]')));
  const ran = await shown();
  assert.equal(ran.status, 10);
  assert.doesNotMatch(ran.output, /same\d|example\.com\/other/);
  assert.match(ran.output, /create/);
  assert.match(
    (await wm(['webhook', 'diff', file])).errors,
    /^wm: 3 of 34 differ from the file; 2 blocked: http:\/\/hooks\.example\.com\/blocked$/m,
  );
});

test('--json, --dry-run, standard input, and a list in pages', async (context) => {
  const { wm, write, file, create } = await withFile(context);
  const id = await create(`${host}a`);
  await write(fileOf(account('a', 'events: all', 'label: mine'), account('b', 'events: all')));
  const [a, b] = JSON.parse((await wm(['webhook', 'diff', file, '--json'])).output);
  assert.deepEqual([a.change, a.id, a.label, a.line], ['same', id, 'mine', 3]);
  assert.deepEqual(
    [b.change, b.id, b.url, b.why],
    ['create', undefined, `${host}b`, ['the service has no such webhook']],
  );
  const dry = await wm(['webhook', 'diff', file, '--dry-run']);
  assert.equal(dry.status, 0);
  assert.match(dry.output, /^GET /);
  const piped = await wm(['webhook', 'diff', '-'], { input: fileOf(account('b', 'events: all')) });
  assert.equal(piped.status, 10);

  const paged = await answering(context, {
    'GET webhooks': [{ kind: 'webhooks', data: [], nextPageToken: 'x' }],
  });
  await writeFile(file, 'version: 1\nwebhooks: []');
  const ran = await paged.wm(['webhook', 'diff', file]);
  assert.equal(ran.status, 1);
  assert.match(ran.errors, /cannot compare them with the file/);
});
