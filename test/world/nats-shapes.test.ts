// What NATS says of a stream's copies, in our words: who is silent, who is behind, whether there is a leader.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { toStream } from '../../src/world/nats-shapes.ts';

const config = {
  name: 'S',
  num_replicas: 3,
  max_age: 0,
  duplicate_window: 0,
  max_bytes: -1,
  max_msgs: -1,
  discard: 'new',
  max_msgs_per_subject: -1,
  storage: 'file',
  retention: 'limits',
} as const;
const state = { first_seq: 1, last_seq: 1, messages: 1, bytes: 1 };
const second = 1e9;

const copiesOf = (cluster: Parameters<typeof toStream>[0]['cluster']) => {
  const { hasLeader, silent, behind } = toStream({ config, state, ...(cluster && { cluster }) });
  return { hasLeader, silent, behind };
};

test('a copy that is offline, or unheard of for five seconds, is silent; another that is not current is behind', () => {
  const replicas = [
    { name: 'well', current: true, active: second },
    { name: 'offline', current: false, offline: true, active: second },
    { name: 'unheard', current: false, active: 6 * second },
    { name: 'late', current: false, active: second },
  ];
  assert.deepEqual(copiesOf({ leader: 'n0', replicas }), {
    hasLeader: true,
    silent: ['offline', 'unheard'],
    behind: ['late'],
  });
});

test('a server of its own leads; one of a cluster may have no leader', () => {
  assert.deepEqual(copiesOf(undefined), { hasLeader: true, silent: [], behind: [] });
  assert.equal(copiesOf({ replicas: [] }).hasLeader, false);
});
