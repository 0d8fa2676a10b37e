// A redirect would hand the token to another host: it is refused, and the place it names hears nothing.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startRawServer } from '../raw-server.ts';
import { answer, ask, canary, lines } from './service.ts';

for (const status of [301, 302, 303, 307, 308]) {
  test(`${status} is refused for every method, to another host and to the same one`, async () => {
    const thief = await startRawServer(() => answer(200, []));
    try {
      for (const line of Object.values(lines)) {
        for (const location of [
          `http://${thief.host}/api/v4/webhooks`,
          '/api/v4/elsewhere',
          '//example.org/',
        ]) {
          const asked = await ask(line, [answer(status, [`Location: ${location}`])]);
          assert.equal(asked.status, 1, asked.errors);
          assert.match(
            asked.errors,
            new RegExp(`^wm: The service answered ${status}, a redirect, which is never followed\n`, 'm'),
          );
          assert.equal(asked.requests.length, 1, 'nobody was asked again');
          assert.equal(asked.output, '');
          assert.ok(!asked.errors.includes(canary));
        }
      }
      assert.deepEqual(thief.requests, []);
    } finally {
      await thief.close();
    }
  });
}
