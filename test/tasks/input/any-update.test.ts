// Any valid parameters arrive as they were meant: a few runs, of which any-update.deep.test.ts has many. And what UTF-8 cannot
// carry is invalid.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { run } from '#test/support/program/program.ts';
import { testAnyUpdate } from './any-update.ts';

testAnyUpdate(4);

test('half of a surrogate pair is invalid in every parameter', async () => {
  for (const broken of ['\ud800', '\udfff', 'a\udc00b'])
    for (const [name, value] of Object.entries({
      title: broken,
      description: broken,
      metadata: [{ key: 'k', value: broken }],
      customFields: [{ id: 'IEAAAAAQJUAAAAAA', value: broken }],
    })) {
      const input = JSON.stringify({ id: 'IEAAAAAQKQAB5BNG', [name]: value });
      const ran = await run(['task', 'update', '--from', '-', '--dry-run'], {
        environment: { WM_TOKEN: 'token', WM_HOST: 'api.example.com' },
        input,
      });
      assert.equal(ran.status, 2);
      assert.match(ran.errors, /surrogate/);
    }
});
