// Tasks named by their titles: the requests that look them up, and what is never looked up. test/transcript/task-title.txt shows which
// task is meant.

import assert from 'node:assert/strict';
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
