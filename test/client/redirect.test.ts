// A redirect would hand the token to another host: it is refused, and the place it names hears nothing. The service sends none, so
// after any of them a change may have been made.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startRawServer } from '#test/support/service/raw-server.ts';
import { answer, ask, canary, lines } from '#test/support/service/scripted-service.ts';

for (const status of [300, 301, 302, 303, 307, 308]) {
  test(`${status} is rejected for every method, to another host and to the same one`, async () => {
    const thief = await startRawServer(() => answer(200, []));
    try {
      for (const [method, line] of Object.entries(lines)) {
        const certain = method === 'GET';
        for (const location of [
          `http://${thief.host}/api/v4/webhooks`,
          '/api/v4/elsewhere',
          '//example.org/',
        ]) {
          const asked = await ask(line, [answer(status, [`Location: ${location}`])]);
          assert.equal(asked.status, certain ? 1 : 9, asked.errors);
          assert.match(
            asked.errors,
            new RegExp(`The response is ${status}, a redirect, which wm never follows`),
          );
          assert.match(
            asked.errors,
            certain
              ? /^wm: .*The response is 3/m
              : /^wm: .*(no response tells|may yet take effect|outcome of .* is unknown)/m,
          );
          const same = asked.requests.filter((request) => request.startsWith(method));
          assert.equal(same.length, 1, 'nothing was sent again');
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
