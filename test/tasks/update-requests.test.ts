// The requests of `wm task update`, for every parameter: raw bytes, compared with lines written by hand.

import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { run } from '#test/support/program/program.ts';
import { jsonReply, type RawServer, startRawServer } from '#test/support/service/raw-server.ts';
import { taskId, taskParameters, taskUpdateLines } from '../witness/task-update.ts';

let server: RawServer;

before(async () => {
  server = await startRawServer(() => jsonReply(200, { kind: 'tasks', data: [{ id: taskId }] }));
});
after(() => server.close());

const environment = () => ({ WM_TOKEN: 'secret-token', WM_HOST: server.host });

test('every parameter has a case in the table', () => {
  const witnessed = new Set(taskUpdateLines.map((line) => line.parameter));
  assert.deepEqual(
    taskParameters.map(({ name }) => name).filter((name) => !witnessed.has(name)),
    [],
  );
});

for (const line of taskUpdateLines) {
  const shown = line.argv.join(' ');
  test(`${line.parameter}: ${shown.length > 60 ? `${shown.slice(0, 60)}...` : shown}`, async () => {
    const before = server.requests.length;
    const ran = await run(['task', 'update', taskId, ...line.argv, '--json'], { environment: environment() });
    assert.equal(ran.status, 0, ran.errors);
    assert.equal(server.requests.length, before + 1);
    const [head = '', body] = (server.requests.at(-1) ?? '').split('\r\n\r\n');
    const pairs = [line.query, line.also].filter((pair) => pair !== undefined);
    const request = head.split('\r\n')[0] ?? '';
    const inOrder =
      pairs.length === 1 || request.includes(`?${pairs[1]}&${pairs[0]} `) ? pairs.toReversed() : pairs;
    assert.equal(request, `PUT /api/v4/tasks/${taskId}?${inOrder.join('&')} HTTP/1.1`);
    assert.equal(body, '');
    assert.match(head, /^Authorization: Bearer secret-token$/im);
    assert.match(head, new RegExp(`^Host: 127\\.0\\.0\\.1:${server.port}$`, 'im'));
  });
}

test('sends all parameters in one request, in the order of the contract', async () => {
  const lines = taskParameters.flatMap(
    ({ name }) => taskUpdateLines.find((line) => line.parameter === name && !line.also) ?? [],
  );
  const argv = lines.flatMap((line) => line.argv);
  const ran = await run(['task', 'update', taskId, ...argv], { environment: environment() });
  assert.equal(ran.status, 0, ran.errors);
  const sent = server.requests.at(-1)?.split('\r\n')[0];
  assert.equal(sent, `PUT /api/v4/tasks/${taskId}?${lines.map((line) => line.query).join('&')} HTTP/1.1`);
});

test('sends the parameters of a long query as a form body', async () => {
  const description = 'é+ &="%'.repeat(20_000);
  const ran = await run(['task', 'update', taskId, '--title', 'x', '--description', '-'], {
    environment: environment(),
    input: description,
  });
  assert.equal(ran.status, 0, ran.errors);
  const [head = '', body = ''] = (server.requests.at(-1) ?? '').split('\r\n\r\n');
  assert.equal(head.split('\r\n')[0], `PUT /api/v4/tasks/${taskId} HTTP/1.1`);
  assert.match(head, /^Content-Type: application\/x-www-form-urlencoded$/im);
  assert.equal(body, `title=x&description=${'%C3%A9%2B%20%26%3D%22%25'.repeat(20_000)}`);
});
