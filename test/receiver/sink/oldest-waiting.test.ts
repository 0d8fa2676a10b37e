// The oldest delivery that waits in a sink, and how many reads it takes to find it.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findFirstWaiting, findOldestWaiting } from '../../../src/receiver/sink/oldest-waiting.ts';
import type { NatsConnection, NatsStream } from '../../../src/world/world.ts';

/** `partitions`: of the messages 1, 2, 3... */
function streamOf(partitions: readonly (number | 'history')[]) {
  const reads: string[] = [];
  const nats: Pick<NatsConnection, 'read'> = {
    async read(_, which) {
      if (!('firstOf' in which)) throw new Error('reads the first of a subject');
      reads.push(`${which.firstOf} ${which.from}`);
      const at = partitions.findIndex(
        (partition, index) =>
          index + 1 >= which.from && (which.firstOf === 'S.p.*' || which.firstOf === `S.p.${partition}`),
      );
      if (at < 0) return { fault: 'not-found', detail: '' };
      const payload = new Uint8Array();
      return { sequence: at + 1, subject: `S.p.${partitions[at]}`, time: at + 1, id: undefined, payload };
    },
  };
  return { nats, reads };
}

const sequenceOf = (found: object | undefined) => (found && 'sequence' in found ? found.sequence : found);

test('each partition has its own oldest, and the oldest of them counts', async () => {
  const { nats, reads } = streamOf([0, 1, 2, 0, 1, 2]);
  // Partition 0 is done up to 1, 1 up to 2; nothing waits in 2.
  const floors = new Map([
    [0, 1],
    [1, 2],
  ]);
  assert.equal(sequenceOf(await findOldestWaiting(nats, 'S', floors)), 4);
  assert.deepEqual(reads, ['S.p.0 2', 'S.p.1 3']);
});

test('partitions that cannot hold an older one are not read', async () => {
  const { nats, reads } = streamOf(Array.from({ length: 2_000 }, (_, at) => at % 1_000));
  const floors = new Map(Array.from({ length: 1_000 }, (_, at) => [at, at === 7 ? 0 : at + 1]));
  assert.equal(sequenceOf(await findOldestWaiting(nats, 'S', floors)), 8);
  assert.ok(reads.length <= 16, `${reads.length} reads`);
});

test('what was dropped meanwhile does not wait; a fault is passed on', async () => {
  const { nats } = streamOf([0]);
  assert.equal(await findOldestWaiting(nats, 'S', new Map([[0, 1]])), undefined);
  const fault = { fault: 'no-quorum', detail: '' } as const;
  assert.equal(await findOldestWaiting({ read: async () => fault }, 'S', new Map([[0, 1]])), fault);
});

test('without a target the first delivery waits, and no history does', async () => {
  const stream: Pick<NatsStream, 'name' | 'subjects'> = { name: 'S', subjects: ['S.partitions.4'] };
  const plain = streamOf([3, 1]);
  assert.equal(sequenceOf(await findFirstWaiting(plain.nats, stream)), 1);
  assert.equal(plain.reads.length, 1);
  const imported = streamOf(['history', 'history', 2, 1]);
  assert.equal(sequenceOf(await findFirstWaiting(imported.nats, stream)), 3);
  assert.equal(await findFirstWaiting(streamOf(['history']).nats, stream), undefined);
});
