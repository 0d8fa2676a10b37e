// When wm leaves a NATS server: as soon as a request that was sent 2.4 s ago has failed, and nothing has succeeded since.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createServerWatch, createWatchedPublish } from '../../../src/receiver/sink/server-watch.ts';
import type { NatsFault, NatsPublished } from '../../../src/world/world.ts';

const noResponse = { fault: 'timeout', detail: 'no response' } as const;

function watched() {
  let now = 0;
  const left: number[] = [];
  const clock = { monotonic: () => now };
  const watch = createServerWatch({ changeServer: async () => void left.push(now) }, clock);
  return {
    clock,
    watch,
    left,
    /** A request that ends at this time. */
    ends(at: number, succeeded: boolean, since: number) {
      now = at;
      watch.onResult(succeeded, since);
    },
  };
}

test('one request without a response is enough, once its time limit is over', () => {
  const { ends, left } = watched();
  ends(1_000, true, 990);
  ends(3_500, false, 1_000);
  assert.deepEqual(left, [3_500]);
});

test('faults that come at once count from the first of them', () => {
  const { ends, left } = watched();
  for (let at = 1_000; at <= 4_000; at += 200) ends(at, false, at - 5);
  assert.deepEqual(left, [3_400]);
});

test('what succeeds meanwhile ends the doubt', () => {
  const { ends, left } = watched();
  ends(1_000, false, 990);
  ends(2_000, true, 1_990);
  ends(4_000, false, 2_010);
  assert.deepEqual(left, []);
  ends(4_500, false, 4_490);
  assert.deepEqual(left, [4_500]);
});

test('the next server gets five seconds, and what was sent to the one before does not count against it', () => {
  const { ends, left } = watched();
  ends(2_500, false, 0);
  ends(2_600, false, 10);
  ends(5_000, false, 2_550);
  ends(7_400, false, 5_000);
  assert.deepEqual(left, [2_500]);
  ends(7_600, false, 5_100);
  assert.deepEqual(left, [2_500, 7_600]);
});

test('a published message counts from when it was sent; a conflict is a response', async () => {
  const { clock, watch, left, ends } = watched();
  const publishing = (result: NatsPublished | NatsFault, takesMs: number) =>
    createWatchedPublish(
      {
        publish: async () => {
          ends(clock.monotonic() + takesMs, true, clock.monotonic());
          return result;
        },
      },
      clock,
      watch,
    );
  const message = ['S.progress.c', new Uint8Array(), { stream: 'S', timeoutMs: 2_500 }] as const;
  await publishing({ fault: 'conflict', detail: 'wrong last sequence' }, 3_000)(...message);
  assert.deepEqual(left, []);
  assert.deepEqual(await publishing(noResponse, 2_500)(...message), noResponse);
  assert.deepEqual(left, [5_500]);
});
