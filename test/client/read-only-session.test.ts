// The session that sends no change: it looks at the method, and at the parameter that the service takes a method from.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createReadOnlySession, tunnelsMethod } from '#client/read-only-session.ts';
import type { Session } from '#client/session.ts';
import { operations } from '#contract/operations.ts';
import { Failure } from '#failure.ts';

const reason = { why: 'a test', hint: 'a hint' };

test('rejects every operation but a GET before it reaches the session', async () => {
  const sent: string[] = [];
  const session: Session = {
    async sendRaw({ effect }) {
      sent.push(effect);
      return { response: { status: 200, headers: {}, body: new Uint8Array() } };
    },
    async send(operation) {
      sent.push(operation.method);
      return { records: [], raw: [] };
    },
  };
  const guarded = createReadOnlySession(session, reason);
  for (const operation of Object.values(operations)) {
    const { method, path } = operation;
    const sending = guarded.send({ ...operations.listWebhooks, method, path }, {}, {});
    if (operation.method === 'GET') await sending;
    else
      await assert.rejects(
        sending,
        (error) =>
          error instanceof Failure &&
          error.code === 'read_only' &&
          error.exitStatus === 2 &&
          error.message === `${operation.method} ${operation.path} was not sent`,
      );
  }
  const raw = { method: 'GET', target: '/tasks?method=PUT', headers: {} };
  await assert.rejects(guarded.sendRaw({ ...raw, effect: 'PUT' }), /PUT \/tasks was not sent/);
  await guarded.sendRaw({ ...raw, effect: 'GET' });
  assert.deepEqual(new Set(sent), new Set(['GET']));
});

test('a GET with a method parameter is a change, ignoring case', () => {
  assert.equal(tunnelsMethod(['fields', 'method']), true);
  assert.equal(tunnelsMethod(['Method']), true);
  assert.equal(tunnelsMethod(['fields', 'methods']), false);
});
