// Numbers are printed as they came, whatever JavaScript makes of them, and half of a surrogate pair as its escape in JSON and as
// U+FFFD in text. With --jq too.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatJson, parseExactJson } from '#contract/json.ts';
import { jsonReply } from '#test/support/service/raw-server.ts';
import { answer, ask, hook, hookId, hooks, taskId } from '#test/support/service/scripted-service.ts';

const numbers = ['9007199254740993', '1e400', '1.10', '-0', '1E5', '123456789012345678901234567890.5', '7'];
const record = `{"id":"${taskId}","title":"x \\ud800 y","numbers":[${numbers.join(',')}],"__proto__":{"n":1.0}}`;
const reply = answer(200, ['Content-Type: application/json'], `{"kind":"tasks","data":[${record}]}`);
const compact = (json: string) => json.replace(/\n\s*/g, '').replaceAll('": ', '":').replaceAll('", ', '",');

for (const argv of [
  ['task', 'get', taskId, '--json'],
  ['api', 'GET', `/tasks/${taskId}`, '--json'],
  ['api', 'GET', '/tasks', '--paginate'],
  ['task', 'update', taskId, '--title', 'x', '--yes', '--json'],
])
  test(`${argv.slice(0, 2).join(' ')} ${argv.slice(3).join(' ')}: exactly as the service sent it`, async () => {
    const { status, output, errors } = await ask(argv, [reply]);
    assert.equal(status, 0, errors);
    assert.ok(compact(output).includes(record), output);
  });

test('a new webhook with a generated secret', async () => {
  const sent = { ...hook, size: 0 };
  const body = JSON.stringify(hooks(sent)).replace('"size":0', '"size":9007199254740993');
  const created = answer(200, ['Content-Type: application/json'], body);
  const argv = ['webhook', 'create', 'https://example.com/hook', '--generate-secret', '--json', '--yes'];
  const { output } = await ask(argv, [created]);
  assert.match(output, /"size":9007199254740993/);
});

test('--jq gets the same JSON, and prints unchanged numbers as they were', async () => {
  const filter = '.title, {title}, [.title | length, test("^x . y$")], .numbers[0,2]';
  const { status, output, errors } = await ask(['task', 'get', taskId, '--jq', filter], [reply]);
  assert.equal(status, 0, errors);
  assert.deepEqual(output.split('\n'), [
    'x \ufffd y',
    '{"title":"x \\ud800 y"}',
    '[5,true]',
    '9007199254740993',
    '1.10',
    '',
  ]);
});

test('keeps private-use characters next to a lone surrogate', async () => {
  const title = 'a\u{100000}\ud800';
  const replies = [jsonReply(200, { kind: 'tasks', data: [{ id: taskId, title }] })];
  const { output } = await ask(['task', 'get', taskId, '--jq', '[.title]'], replies);
  assert.equal(output, '["a\u{100000}\ufffd"]\n');
});

test('the result of an operation in a batch', async () => {
  const done = '{"id":"J1","status":"Completed","progressPercent":1.0,"results":[{"status":200,"n":1.10}]}';
  const reply = answer(200, ['Content-Type: application/json'], `{"kind":"asyncJob","data":[${done}]}`);
  const input = JSON.stringify([{ method: 'PUT', path: `/tasks/${taskId}`, parameters: { title: 'x' } }]);
  const { output, errors } = await ask(['batch', '-', '--yes', '--json'], [reply], { input });
  assert.match(output, /"n":1\.10/, errors);
});

test('a lone surrogate in text becomes U+FFFD', async () => {
  const { output } = await ask(['task', 'get', taskId], [reply]);
  assert.ok(Buffer.from(output).toString().includes('x \ufffd y'), output);
});

test('formats any JSON, in any layout, as JSON.stringify does', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.nat(3), (value, indent) => {
      assert.equal(formatJson(value, { indent }), JSON.stringify(value, null, indent));
      const text = JSON.stringify({ value, exact: 0 }, null, indent).replace(/0(?=\s*\}$)/, '1.10');
      assert.equal(formatJson(parseExactJson(text), { indent }), text);
    }),
  );
});

test('omits values without a JSON form, or prints null in a list', () => {
  const value = { a: undefined, b: [undefined, Number.NaN], c: new Date(0), d: { toJSON: () => 'x' }, e: [] };
  assert.equal(formatJson(value), JSON.stringify(value));
  assert.equal(formatJson(undefined), 'null');
});

test('a webhook record keeps numbers as they were in a list, except in an id', async () => {
  const body = JSON.stringify(hooks({ ...hook, size: 0 })).replace('"size":0', '"size":1e400');
  const replies = [answer(200, ['Content-Type: application/json'], body)];
  for (const argv of [
    ['webhook', 'list', '--json'],
    ['webhook', 'get', hookId, '--json'],
  ])
    assert.match((await ask(argv, replies)).output, /"size": ?1e400/);
});
