// --route EVENT=URL: names in any case, groups, and what is suggested for a wrong one.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { routeFlag } from '../../../../src/command/webhook/listen/route-flag.ts';
import { Failure } from '../../../../src/failure.ts';

const url = 'http://127.0.0.1:3000/status?a=b';

function rejected(text: string): string {
  try {
    routeFlag.parse([text]);
  } catch (error) {
    assert.ok(error instanceof Failure && error.code === 'usage');
    return `${error.message} | ${String(error.hint)}`;
  }
  return assert.fail('it is accepted');
}

test('an event in any case, and a group', () => {
  assert.deepEqual(routeFlag.parse([`taskStatusChanged=${url}`]), [{ events: ['TaskStatusChanged'], url }]);
  const [approvals, one] = routeFlag.parse([`approval=${url}`, `TaskCreated=${url}`]);
  assert.ok(approvals?.events.includes('FolderApprovalDecisionReset'));
  assert.ok(approvals?.events.every((event) => event.includes('Approval')));
  assert.deepEqual(one?.events, ['TaskCreated']);
});

test('a misspelt event gets a suggestion', () => {
  assert.match(
    rejected(`TaskStatusChange=${url}`),
    /^--route: .*TaskStatusChange.* is not an event.*Did you mean TaskStatusChanged\?/,
  );
});

test('without an event or a URL, the error shows the form, and no password', () => {
  for (const text of ['TaskCreated', url, '', 'http://user:geheim@a/']) {
    assert.match(rejected(text), /^--route: .*is not an event and a URL \| .*--route TaskStatusChanged=http/);
    assert.doesNotMatch(rejected(text), /geheim/);
  }
  assert.match(rejected('TaskCreated=localhost:3000'), /^--route: .*is not an http or https URL/);
  assert.doesNotMatch(rejected('TaskCreated=http://user:geheim@a/'), /geheim/);
});
