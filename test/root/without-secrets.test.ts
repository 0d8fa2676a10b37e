// What a program that needs no secret of wm finds in its environment.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { variables } from '#cli/environment-variables.ts';
import { withoutSecrets } from '#without-secrets.ts';

test('removes only the variables with secrets, ignoring case', () => {
  const names = Object.keys(variables);
  const others = names.filter((name) => !variables[name]?.secret);
  const all = Object.fromEntries([...names, 'NGROK_AUTHTOKEN', 'wm_token'].map((name) => [name, 'x']));
  assert.deepEqual(Object.keys(withoutSecrets(all)), [...others, 'NGROK_AUTHTOKEN']);
});
