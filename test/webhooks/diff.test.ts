// How the webhooks of the service differ from a file where the service shows more or less of them than in webhook-diff.txt. They were
// created on another machine, unless a test records them.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { collectStreams } from '#test/support/program/streams.ts';
import { hooks } from '#test/support/service/scripted-service.ts';
import { record } from './hooks-file/local-record.ts';
import { fileOf, type WithFile, withFile } from './hooks-file/with-file.ts';
import { answering } from './records.ts';

const host = 'http://hooks.example.com/';
const folder = 'IEAAAAAQI4AB5FLD';
const at = '2026-01-02T03:04:05.000Z';
const account = (name: string, ...extraLines: readonly string[]) =>
  [`url: ${host}${name}`, 'scope: account', ...extraLines].join('\n');
const inFolder = (name: string, ...lines: readonly string[]) =>
  [`url: ${host}${name}`, `scope: {folder: ${folder}}`, ...lines].join('\n');
const created = (more: object = {}) => ({ created: { at, hookUrl: host, signed: false, ...more } });

const changesOf = async (ran: ReturnType<WithFile['diff']>) =>
  (await ran).lines.map((line) => line.split(' | ')[0]);

test('different events: replaced if the folder is known; otherwise the unknown scope blocks', async (context) => {
  const { create, write, diff } = await withFile(context);
  await create(`${host}a`, '--folder', folder, '--events', 'TaskCreated');
  await create(`${host}b`, '--events', 'TaskCreated');
  await write(fileOf(inFolder('a', 'events: [TaskDeleted]'), account('b', 'events: [TaskDeleted]')));
  const ran = await diff();
  assert.deepEqual(ran.lines, [
    'blocked | b | the account or a space | its scope is unknown, and the file has another webhook for its URL and scope',
    'blocked | b | the account | wm does not create it while it is unclear what it replaces',
    `replace | a | folder ${folder} | events: TaskDeleted in the file, TaskCreated at the service`,
  ]);
  assert.deepEqual(await changesOf(diff('--replace-unknown')), ['replace', 'replace']);
});

test('unknown events count as the same, unless a flag replaces the webhook; a second webhook is blocked', async (context) => {
  const { create, write, diff } = await withFile(context, { mode: 'bare' });
  await create(`${host}a`, '--folder', folder);
  await write(fileOf(inFolder('a', 'events: [TaskDeleted]')));
  assert.equal((await diff()).status, 0);
  assert.deepEqual((await diff('--replace-unknown')).lines, [
    `replace | a | folder ${folder} | recursive, events, parameterisedEvents, customItemTypes and secret cannot be compared`,
  ]);
  await create(`${host}a`, '--folder', folder);
  const two = await diff();
  assert.equal(two.status, 10);
  assert.match(two.lines.join('\n'), /blocked .*1 in the file, 2 at the service/);
  assert.deepEqual(await changesOf(diff('--replace-unknown')), ['delete', 'replace']);
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
  await write(fileOf(inFolder('a', 'events: [TaskCreated]')));
  const ran = await diff();
  assert.deepEqual(ran.lines.map((line) => line.split(' | ').at(-1)).toSorted(), [
    '',
    'its events are unknown, and the file has another webhook for its URL and scope',
    'wm does not replace it while it is unclear what replaces it',
  ]);
  assert.deepEqual(await changesOf(diff('--replace-unknown')), ['delete', 'delete', 'same']);
});

test('two indistinguishable webhooks, one of them different: a flag replaces both', async (context) => {
  const { create, write, diff } = await withFile(context);
  for (const _ of [1, 2]) await create(`${host}a`, '--folder', folder, '--events', 'TaskCreated');
  const events = 'events: [TaskCreated]';
  await write(fileOf(inFolder('a', events, 'recursive: true'), inFolder('a', events)));
  assert.deepEqual(await changesOf(diff()), ['blocked', 'blocked', 'same']);
  assert.deepEqual(await changesOf(diff('--replace-unknown')), ['replace', 'replace']);
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

test('on a terminal, lists only differences, counts all webhooks, and names the blocked ones', async (context) => {
  const { wm, create, write, file } = await withFile(context);
  const names = Array.from({ length: 30 }, (_, index) => `same${index}`);
  for (const name of names) await create(`${host}${name}`, '--events', 'TaskCreated');
  for (const name of ['blocked', 'other']) await create(`${host}${name}`, '--events', 'TaskCreated');
  const same = names.map((name) => account(name, 'events: [TaskCreated]'));
  const shown = async () => {
    const { streams, texts } = collectStreams({ isTerminal: true, columns: 80 });
    const { status } = await wm(['webhook', 'diff', file, '--no-color'], { world: { streams } });
    return { status, output: texts.output };
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
