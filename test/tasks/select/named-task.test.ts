// Tasks named by their titles: what is looked up and what is not, which task is meant, and the errors for none and for several.

import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { sample } from '#emulator/state/sample-ids.ts';
import { emulated } from '#test/support/program/emulated.ts';
import { fail, inFront } from '#test/support/service/intercept.ts';

const title = 'Write the launch page';

/** The paths of the requests that were sent. */
async function watched(context: TestContext, answers: Parameters<typeof inFront>[2] = () => false) {
  const all = await emulated(context);
  const paths: string[] = [];
  const host = await inFront(context, all.environment['WM_HOST'], (request, response) => {
    paths.push(`${request.method} ${decodeURIComponent(request.url ?? '').replace('/api/v4', '')}`);
    return answers(request, response);
  });
  const wm = (...typed: string[]) => all.wm(typed, { environment: { WM_HOST: host } });
  return { ...all, wm, paths };
}

test('an id and a permalink cost no look-up; a title costs one request', async (context) => {
  const { wm, paths } = await watched(context);
  for (const text of [sample.task, `https://workspace.example.com/open?id=${sample.task}`]) {
    const ran = await wm('task', 'get', text);
    assert.equal(ran.status, 0, ran.errors);
    assert.equal(ran.errors, '');
  }
  assert.deepEqual(paths.splice(0), [`GET /tasks/${sample.task}`, `GET /tasks/${sample.task}`]);
  const ran = await wm('task', 'get', title);
  assert.equal(ran.status, 0, ran.errors);
  assert.equal(ran.output.split('\t')[0], sample.task);
  assert.equal(ran.errors, `Task: ${title} (${sample.task})\n`);
  assert.deepEqual(paths.splice(0), [
    `GET /tasks?title=${title}&fields=["parentIds","responsibleIds"]&pageSize=1000`,
    `GET /tasks/${sample.task}`,
  ]);
  assert.equal((await wm('task', 'get', sample.bug, title)).status, 0);
  assert.deepEqual(paths, [
    `GET /tasks?title=${title}&fields=["parentIds","responsibleIds"]&pageSize=1000`,
    `GET /tasks/${sample.bug},${sample.task}`,
  ]);
});

test('a title in another case, and one that a service finds only without its filter', async (context) => {
  const { wm } = await watched(context);
  const ran = await wm('task', 'get', ' write THE launch page', '--json');
  assert.equal(ran.status, 0, ran.errors);
  assert.equal(JSON.parse(ran.output).id, sample.task);
  // Standard error has lines of JSON alone, and the id is in the output.
  assert.equal(ran.errors, '');
  const shown = await wm('task', 'get', ' write THE launch page');
  assert.equal(shown.errors, `Task: ${title} (${sample.task})\n`);
  const strict = await watched(context, (request, response) =>
    /[?&]title=/.test(request.url ?? '') ? fail(response, 400, 'invalid_parameter') : false,
  );
  assert.equal((await strict.wm('task', 'get', title)).output.split('\t')[0], sample.task);
});

test('updates the task with the title, without a prompt', async (context) => {
  const { wm, task } = await watched(context);
  const ran = await wm('task', 'update', title, '--status', 'Completed');
  assert.equal(ran.status, 0, ran.errors);
  assert.equal((await task(sample.task)).status, 'Completed');
  const shown = await wm('task', 'update', title, '--status', 'Active', '--dry-run');
  assert.match(shown.output, new RegExp(`^PUT http://\\S+/tasks/${sample.task}`));
  assert.equal((await task(sample.task)).status, 'Completed');
});

test('no task has the title: 5, with the closest; ignores deleted tasks', async (context) => {
  const { wm } = await watched(context);
  const ran = await wm('task', 'update', 'Write the lunch page', '--status', 'Completed');
  assert.equal(ran.status, 5);
  assert.equal(
    ran.errors,
    `wm: No task has the title "Write the lunch page"\n  Did you mean "${title}"?\n  To list tasks: wm task list\n`,
  );
  const deleted = await wm('task', 'get', 'Old banner');
  assert.equal(deleted.status, 5);
  assert.match(deleted.errors, /^wm: No task has the title "Old banner"\n {2}To list tasks/);
});

test('does not match deleted tasks if a service lists them too', async (context) => {
  const { wm } = await watched(context, (request, response) => {
    if (!request.url?.startsWith('/api/v4/tasks?') && request.url !== '/api/v4/tasks') return false;
    const data = ['RbTask', 'WsTask'].map((scope, at) => ({ id: `IEAAAAAQKQAB500${at}`, title, scope }));
    response.writeHead(200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify({ kind: 'tasks', data }));
    return true;
  });
  const ran = await wm('task', 'update', title, '--status', 'Active', '--dry-run');
  assert.match(ran.output, /^PUT \S+\/tasks\/IEAAAAAQKQAB5001\?/);
});

test('several tasks have the title: 2, with their ids and folders, and nothing is sent', async (context) => {
  const { wm, paths } = await watched(context);
  assert.equal((await wm('task', 'update', sample.bug, '--title', title)).status, 0);
  paths.length = 0;
  const ran = await wm('task', 'update', title, '--status', 'Completed');
  assert.equal(ran.status, 2);
  const [heading, ...lines] = ran.errors.trimEnd().split('\n');
  assert.equal(heading, `wm: 2 tasks have the title "${title}"`);
  assert.deepEqual(lines, [
    '  Give the id of the one that you mean:',
    `    ${sample.task}  Active  in Website`,
    `    ${sample.bug}  Active  in Spring catalogue`,
  ]);
  assert.ok(!paths.some((one) => one.startsWith('PUT')), paths.join('\n'));
  // Letter for letter comes before another case.
  await wm('task', 'update', sample.bug, '--title', title.toUpperCase());
  assert.equal((await wm('task', 'get', title)).output.split('\t')[0], sample.task);
  assert.equal((await wm('task', 'get', title.toUpperCase())).output.split('\t')[0], sample.bug);
});

test('tries a word that may be an id as an id first, and as a title if there is no such task', async (context) => {
  const { wm, paths, task } = await watched(context);
  const ran = await wm('task', 'update', 'Launch', '--importance', 'High');
  assert.equal(ran.status, 0, ran.errors);
  assert.equal((await task(sample.milestone)).importance, 'High');
  assert.deepEqual(
    paths.splice(0).filter((one) => !one.includes('contacts')),
    [
      'GET /tasks/Launch',
      'GET /tasks?title=Launch&fields=["parentIds","responsibleIds"]&pageSize=1000',
      `PUT /tasks/${sample.milestone}?importance=High`,
    ],
  );
  // A word that is no id is not recorded as a failed change.
  const history = JSON.parse((await wm('history', '--json')).output);
  assert.deepEqual(
    history.map(({ outcome }: { outcome: string }) => outcome),
    ['done'],
  );
  for (const flag of ['--dry-run', '--curl'])
    assert.match(
      (await wm('task', 'update', 'launch', '--importance', 'Low', flag)).output,
      new RegExp(sample.milestone),
    );
  const several = await wm('task', 'update', 'LAUNCH', sample.task, '--importance', 'Low', '--yes');
  assert.equal(several.status, 0, several.errors);
  assert.equal((await task(sample.milestone)).importance, 'Low');
  paths.splice(0);
  const both = await wm('task', 'get', sample.task, 'Launch', 'Lunch', '--json');
  assert.equal(both.status, 5);
  assert.match(both.errors, /1 of 3 tasks was not found: Lunch/);
  assert.deepEqual(
    both.output
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).id),
    [sample.task, sample.milestone],
  );
  const none = await wm('task', 'get', 'Lunch');
  assert.equal(none.status, 5);
  assert.match(none.errors, /Did you mean "Launch"\?/);
});

test('comment, attach, timelog add and comments accept titles, even of one word', async (context) => {
  const service = await emulated(context);
  const { folder } = service;
  const wm = (...typed: string[]) => service.wm(typed);
  await writeFile(join(folder, 'a.txt'), 'a');
  for (const name of [title, 'launch'])
    for (const typed of [
      ['task', 'comment', name, 'x', '--yes'],
      ['task', 'attach', name, join(folder, 'a.txt'), '--yes'],
      ['timelog', 'add', name, '--hours', '1', '--yes'],
      ['task', 'comments', name],
    ]) {
      const ran = await wm(...typed);
      assert.equal(ran.status, 0, `${typed.join(' ')}: ${ran.errors}`);
      assert.ok(
        ran.output.includes(name === title ? sample.task : sample.milestone) || typed[1] === 'comments',
        ran.output,
      );
    }
  const none = await wm('task', 'comment', 'Lunch', 'x', '--yes');
  assert.equal(none.status, 5, none.errors);
  assert.match(none.errors, /Did you mean "Launch"\?/);
});

test('never looks up text in the form of an id as a title', async (context) => {
  const { wm, paths } = await watched(context);
  const ran = await wm('task', 'get', 'IEAAAAAQKQAB5XXX');
  assert.equal(ran.status, 5);
  assert.deepEqual(paths, ['GET /tasks/IEAAAAAQKQAB5XXX']);
});

test('reads a word as an id if the tasks cannot be listed', async (context) => {
  const { wm } = await watched(context, (request, response) =>
    request.url?.startsWith('/api/v4/tasks?') ? fail(response, 403, 'access_forbidden') : false,
  );
  const ran = await wm('task', 'get', 'Launch');
  assert.equal(ran.status, 5, ran.errors);
  const titled = await wm('task', 'get', title);
  assert.equal(titled.status, 3, titled.errors);
});

test('rejects malformed ids, empty texts and invalid links before anything is sent', async (context) => {
  const { wm, paths } = await watched(context);
  for (const text of [
    `${sample.task} ${sample.bug}`,
    `${sample.task},${sample.bug}`,
    '',
    ' ',
    'https://workspace.example.com/tasks/12',
    'https://workspace.example.com/open?id=a%20b',
  ])
    for (const typed of [
      ['task', 'get', text],
      ['task', 'update', text, '--status', 'Active'],
      ['task', 'undo', text],
    ]) {
      const ran = await wm(...typed);
      assert.equal(ran.status, 2, `${JSON.stringify(typed)}: ${ran.errors}`);
    }
  assert.deepEqual(paths, []);
});

test('titles in a bulk run: resolved before the plan; an unknown title makes the row invalid', async (context) => {
  const { wm, task } = await watched(context);
  const ran = await wm('task', 'update', title, 'Nosuch title', sample.bug, '--importance', 'High', '--yes');
  assert.equal(ran.status, 8, ran.errors);
  assert.match(ran.errors, /No task has the title "Nosuch title"\. /);
  assert.match(ran.errors, /line 2 \(Nosuch title\): /);
  for (const id of [sample.task, sample.bug]) assert.equal((await task(id)).importance, 'High');
});

test('without a terminal, a missing task argument is a usage error that names the list command', async (context) => {
  const { wm, paths } = await watched(context);
  for (const command of ['get', 'update', 'undo']) {
    const ran = await wm('task', command);
    assert.equal(ran.status, 2);
    assert.match(ran.errors, /^wm: Missing: ID\n {2}Give the id of the task, or its title: wm task \w+ ID\n/);
    assert.match(ran.errors, /\n {2}To list tasks: wm task list\n/);
  }
  assert.deepEqual(paths, []);
});
