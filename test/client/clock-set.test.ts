// A clock that somebody sets while a request is under way: the time limit is of the time that passes, whatever the clock shows.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createHurriedClock } from '#test/support/clock.ts';
import { jsonReply } from '#test/support/service/raw-server.ts';
import { ask, lines, taskId } from '#test/support/service/scripted-service.ts';
import { createWorld } from '#world/create-world.ts';
import type { Http } from '#world/world.ts';

const real = createWorld();
const month = 30 * 86_400_000;
const task = jsonReply(200, { kind: 'tasks', data: [{ id: taskId, title: 'x' }] });

for (const [direction, by] of [
  ['ahead', month],
  ['back', -month],
] as const) {
  test(`clock set a month ${direction} between two attempts: the second is made with the remaining time`, async () => {
    const hurried = createHurriedClock();
    let set = 0;
    const timeouts: number[] = [];
    const http: Http = {
      async send(request, options) {
        timeouts.push(options.timeoutMs);
        const response = await real.http.send(request, options);
        set = by;
        return response;
      },
    };
    const clock = { ...hurried, now: () => hurried.now() + set };
    const ran = await ask(lines.PUT, [jsonReply(500, {}), task], { world: { http, clock } });
    assert.equal(ran.status, 0, ran.errors);
    assert.equal(ran.requests.length, 2);
    for (const timeoutMs of timeouts) assert.ok(timeoutMs > 10_000 && timeoutMs <= 30_000, `${timeoutMs} ms`);
  });
}

test('frozen for 40 s during a 500: sends the request again with its full time limit', async () => {
  const clock = createHurriedClock();
  const timeouts: number[] = [];
  const http: Http = {
    async send(request, options) {
      timeouts.push(options.timeoutMs);
      const response = await real.http.send(request, options);
      if (timeouts.length === 1) clock.stop(40_000);
      return response;
    },
  };
  const ran = await ask(lines.PUT, [jsonReply(500, {}), task], { world: { http, clock } });
  assert.equal(ran.status, 0, ran.errors);
  assert.equal(ran.requests.length, 2);
  const [, second = 0] = timeouts;
  assert.ok(second > 29_000 && second <= 30_000, `${second} ms`);
});
