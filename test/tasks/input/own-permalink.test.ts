// Permalinks of the service hold a number of the workspace's own. The service finds their record, wherever a task or a folder is
// named.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { inFront } from '#test/support/service/intercept.ts';

const link = (number: number) => `https://www.example.com/open.htm?id=${number}`;
const [task, other, folder, unknown] = [link(700001), link(700002), link(800001), link(9)];
const records: Readonly<Record<string, readonly [list: string, id: string]>> = {
  [task]: ['tasks', sample.task],
  [other]: ['tasks', sample.backlog],
  [folder]: ['folders', sample.folder],
};

type Find = (list: string, wanted: string) => readonly { readonly id: string; readonly permalink?: string }[];

function findOnly(list: string, wanted: string) {
  const [own, id = ''] = records[wanted] ?? [];
  return own === list ? [{ id, permalink: wanted }] : [];
}

/** The emulator, behind a service that gives its records such permalinks. */
async function linked(context: TestContext, find: Find = findOnly) {
  const all = await emulated(context);
  const paths: string[] = [];
  const host = await inFront(context, all.environment['WM_HOST'], (request, response) => {
    const url = new URL(request.url ?? '', 'http://x');
    paths.push(`${request.method} ${url.pathname.replace('/api/v4', '')}`);
    const wanted = url.searchParams.get('permalink');
    if (wanted === null) return false;
    const kind = url.pathname.split('/').at(-1) ?? '';
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ kind, data: find(kind, wanted) }));
    return true;
  });
  const wm = (typed: readonly string[], input?: string) =>
    all.wm(typed, { environment: { WM_HOST: host }, ...(input === undefined ? {} : { input }) });
  return { ...all, wm, paths };
}

/** Of the lines of a pipe. */
function idsOf(output: string): readonly string[] {
  const lines = output.trimEnd().split('\n');
  return lines.map((line) => line.split('\t')[0] ?? '');
}

test('a task by its permalink, in every command that takes one', async (context) => {
  const { wm, paths, folder: own } = await linked(context);
  const one = await wm(['task', 'get', task]);
  assert.deepEqual([one.status, idsOf(one.output), one.errors], [0, [sample.task], '']);
  assert.deepEqual(paths.splice(0), ['GET /tasks', `GET /tasks/${sample.task}`]);
  const several = await wm(['task', 'get', task, sample.milestone, other]);
  assert.deepEqual(idsOf(several.output), [sample.task, sample.milestone, sample.backlog]);
  const file = join(own, 'a.txt');
  await writeFile(file, 'x');
  for (const argv of [
    ['task', 'update', task, '--title', 'x', '--undoable'],
    ['task', 'undo', task, '--yes'],
    ['task', 'comment', task, 'x'],
    ['task', 'attach', task, file],
    ['timelog', 'add', task, '--hours', '1'],
  ]) {
    const ran = await wm(argv);
    assert.equal(ran.status, 0, `${argv.join(' ')}: ${ran.errors}`);
  }
});

test('in flags and rows, for tasks and folders; each link is looked up once', async (context) => {
  const { wm, paths } = await linked(context);
  const values = {
    addParents: `["${sample.folder}"]`,
    addSuperTasks: `["${sample.backlog}"]`,
    priorityAfter: sample.backlog,
  };
  const flags = ['--add-parents', folder, '--add-super-tasks', other, '--priority-after', other];
  const queryOf = (line: string) => Object.fromEntries(new URL(JSON.parse(line).url).searchParams);
  const single = await wm(['task', 'update', sample.task, ...flags, '--dry-run', '--json']);
  assert.equal(single.status, 0, single.errors);
  assert.deepEqual(queryOf(single.output), values);
  paths.length = 0;
  const csv = `id,add-parents,add-super-tasks,priority-after\n${task},${folder},${other},${other}\n`;
  const json = JSON.stringify({
    id: task,
    addParents: [folder],
    addSuperTasks: [other],
    priorityAfter: other,
  });
  for (const input of [csv, `${json}\n${json}\n`]) {
    const ran = await wm(['task', 'update', '--from', '-', '--dry-run', '--json'], input);
    assert.equal(ran.status, 0, ran.errors);
    for (const line of ran.output.trimEnd().split('\n')) {
      assert.deepEqual(queryOf(line), values);
      assert.match(JSON.parse(line).url, new RegExp(`/tasks/${sample.task}\\?`));
    }
  }
  assert.deepEqual(
    paths.toSorted(),
    [...'12'].flatMap(() => ['GET /folders', 'GET /tasks', 'GET /tasks']).toSorted(),
  );
  const several = await wm(['task', 'update', task, other, '--title', 'Both', '--yes']);
  assert.deepEqual(idsOf(several.output), [sample.task, sample.backlog]);
});

test('a folder by its permalink, from the service or with an id, wherever a folder is expected', async (context) => {
  const { wm } = await linked(context);
  const withId = `https://www.example.com/open?id=${sample.folder}`;
  for (const one of [folder, withId])
    for (const argv of [
      ['task', 'list', '--folder', one],
      ['task', 'create', 'New', '--folder', one],
      ['folder', 'create', 'New', '--folder', one],
      ['folder', 'list', '--folder', one],
      ['webhook', 'list', '--folder', one],
      ['webhook', 'create', 'https://hooks.example.com/a', '--folder', one, '--yes'],
      ['task', 'create', 'New', '--folder', sample.project, '--parents', one],
    ]) {
      const ran = await wm(argv);
      assert.equal(ran.status, 0, `${argv.join(' ')}: ${ran.errors}`);
    }
});

test('a permalink that matches nothing', async (context) => {
  const { wm } = await linked(context);
  const one = await wm(['task', 'get', unknown]);
  assert.equal(one.status, 5);
  assert.equal(one.errors, `wm: No task has the link "${unknown}"\n  To list tasks: wm task list\n`);
  // A folder is no task.
  assert.equal((await wm(['task', 'get', folder])).status, 5);
  const flag = await wm(['task', 'list', '--folder', unknown]);
  assert.equal(flag.status, 2);
  assert.match(flag.errors, /^wm: --folder: nothing has the link "https/);
  const row = await wm(['task', 'update', '--from', '-', '--yes'], `id,title\n${unknown},x\n`);
  assert.equal(row.status, 2);
  assert.match(row.output, /\tinvalid\tNo task has the link "https/);
});

test('a service that ignores the filter, or omits permalinks: one task, and never a wrong one', async (context) => {
  const found = async (find: Find) => {
    const { wm } = await linked(context, find);
    const ran = await wm(['task', 'get', task]);
    return ran.status === 0 ? idsOf(ran.output)[0] : ran.errors.split('\n')[0];
  };
  const ofOther = { id: sample.backlog, permalink: other };
  const inOtherForm = { id: sample.task, permalink: 'https://app.example.com/open.htm?from=mail&id=700001' };
  const missing = `wm: No task has the link "${task}"`;
  assert.equal(await found(() => [ofOther, inOtherForm]), sample.task);
  assert.equal(await found(() => [ofOther]), missing);
  assert.equal(await found(() => [{ id: sample.task }]), sample.task);
  assert.equal(await found(() => [{ id: sample.backlog }, { id: sample.task }]), missing);
});
