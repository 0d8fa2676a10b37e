// Names that look like ids, or almost: 16 upper-case letters are the form of a custom field id, 8 that of a user id. Ids
// come first; what is no id in the account is looked up as a name.

import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { startEmulator } from '#emulator/emulator.ts';
import { sample } from '#emulator/state/sample-ids.ts';
import { type Emulated, emulated } from '#test/support/program/emulated.ts';
import { jsonReply, startRawServer } from '#test/support/service/raw-server.ts';
import { createWorld } from '#world/create-world.ts';

/** What the sample data call it, and what it is called here. */
const renamed = [
  ['"Copies"', '"INVOICINGNUMBERS"'],
  ['"Discount"', '"invoicingnumber"'],
  ['"Channels"', '"OUTOFHOMECHANNELS"'],
  ['"In review"', '"OUTFORSIGNATURES"'],
  ['"Published"', '"printedandshipped"'],
  ['"firstName":"Ben"', '"firstName":"BENOKAFO"'],
  ['"lastName":"Okafor"', '"lastName":""'],
] as const;

async function withSuchNames(context: TestContext): Promise<Emulated> {
  const folder = await mkdtemp(join(tmpdir(), 'wm-names-'));
  const dataFile = join(folder, 'data.json');
  const first = await startEmulator(createWorld(), { dataFile });
  assert.ok(!('fault' in first));
  // Only what was changed is written.
  await fetch(`${first.baseUrl}/tasks/${sample.task}?importance=High`, {
    method: 'PUT',
    headers: { Authorization: `Bearer ${first.token}` },
  });
  await first.close();
  let text = await readFile(dataFile, 'utf8');
  for (const [before, after] of renamed) {
    assert.ok(text.includes(before), before);
    text = text.replaceAll(before, after);
  }
  await writeFile(dataFile, text);
  const started = await emulated(context, { dataFile });
  // After the emulator has ended, which writes it once more.
  context.after(() => rm(folder, { recursive: true }));
  return started;
}

const update = ['task', 'update', sample.backlog];
const fieldOf = (task: { customFields: { id: string; value: string }[] }, id: string) =>
  task.customFields.find((one) => one.id === id)?.value;

test('a field, a status and a user by names that look like ids', async (context) => {
  const { wm, task } = await withSuchNames(context);
  for (const argv of [
    ['--custom-field', 'INVOICINGNUMBERS=12'],
    ['--custom-field', 'invoicingnumber=5', '--custom-field', 'OUTOFHOMECHANNELS[]=Web'],
    ['--custom-status', 'OUTFORSIGNATURES', '--add-responsibles', `BENOKAFO,${sample.bot}`],
  ]) {
    await wm([...update, ...argv], { exit: 0 });
  }
  const after = await task(sample.backlog);
  assert.equal(fieldOf(after, sample.numeric), '12');
  assert.equal(fieldOf(after, sample.percentage), '5');
  assert.equal(fieldOf(after, sample.multiple), '["Web"]');
  assert.equal(after.customStatusId, sample.inReview);
  assert.deepEqual(after.responsibleIds, [sample.ben, sample.bot]);
  await wm([...update, '--custom-status', 'printedandshipped'], { exit: 0 });
  assert.equal((await task(sample.backlog)).customStatusId, sample.published);
});

test('undoes such a name like any other', async (context) => {
  const { wm, task } = await withSuchNames(context);
  const before = await task(sample.task);
  await wm(['task', 'update', sample.task, '--custom-field', 'INVOICINGNUMBERS=12', '--undoable'], {
    exit: 0,
  });
  assert.equal(fieldOf(await task(sample.task), sample.numeric), '12');
  await wm(['task', 'undo', sample.task, '--yes'], { exit: 0 });
  assert.deepEqual((await task(sample.task)).customFields, before.customFields);
});

test('such names in a file', async (context) => {
  const { wm, task } = await withSuchNames(context);
  const csv = `id,custom-field:INVOICINGNUMBERS,custom-field:${sample.text},custom-status,add-responsibles
${sample.backlog},12,blue,OUTFORSIGNATURES,BENOKAFO
${sample.deferred},13,red,${sample.inProgress},"BENOKAFO,${sample.bot}"
`;
  const ran = await wm(['task', 'update', '--from', '-', '--yes', '--verbose'], { input: csv, exit: 0 });
  for (const [id, copies, colour, status, people] of [
    [sample.backlog, '12', 'blue', sample.inReview, [sample.ben]],
    [sample.deferred, '13', 'red', sample.inProgress, [sample.ben, sample.bot]],
  ] as const) {
    const after = await task(id);
    assert.equal(fieldOf(after, sample.numeric), copies);
    assert.equal(fieldOf(after, sample.text), colour);
    assert.equal(after.customStatusId, status);
    assert.deepEqual(after.responsibleIds, people);
  }
  for (const list of ['customfields', 'v4/workflows', 'contacts'])
    assert.equal(ran.errors.match(new RegExp(`GET \\S+/${list}`, 'g'))?.length, 1, list);
});

test('lists that the service does not show: sends an id in a file unchanged', async (context) => {
  const server = await startRawServer((request) =>
    request.startsWith('PUT ')
      ? jsonReply(200, { kind: 'tasks', data: [{ id: sample.backlog }] })
      : jsonReply(403, { error: 'not_allowed', errorDescription: 'No' }),
  );
  context.after(() => server.close());
  const { wm } = await emulated(context);
  const query = {
    customStatus: sample.inReview,
    customFields: `[{"id":"${sample.numeric}","value":"12"}]`,
    addResponsibles: `["${sample.ben}"]`,
  };
  await wm(['task', 'update', '--from', '-', '--yes', '--no-undoable'], {
    input: `id,custom-status,custom-field:${sample.numeric},add-responsibles\n${sample.backlog},${sample.inReview},12,${sample.ben}\n`,
    environment: { WM_HOST: server.host },
    exit: 0,
  });
  const asked = server.requests.map((request) => request.split(' ').slice(0, 2));
  assert.deepEqual(
    asked
      .slice(0, -1)
      .map(([method, path]) => `${method} ${path}`)
      .toSorted(),
    ['contacts', 'customfields', 'workflows'].map((list) => `GET /api/v4/${list}`),
  );
  const [method, path] = asked.at(-1) ?? [];
  const sent = new URL(path ?? '', 'http://host');
  assert.deepEqual([method, sent.pathname], ['PUT', `/api/v4/tasks/${sample.backlog}`]);
  assert.deepEqual(Object.fromEntries(sent.searchParams), query);
});
