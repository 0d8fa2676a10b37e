// Forwarders on servers whose copies differ, on a clock that the test moves, and a target that notes what it gets.

import type { AttemptResult, Target } from '../../../src/receiver/forwarding/target.ts';
import { ensureConsumers } from '../../../src/receiver/sink/sink-consumers.ts';
import { ackWaitMs, startSinkForwarder } from '../../../src/receiver/sink/sink-forwarder.ts';
import { consumerFor, sinkSubjects } from '../../../src/receiver/sink/sink-layout.ts';
import { createSinkEncoder } from '../../../src/receiver/sink/sink-message.ts';
import { createTestClock } from '../../clock.ts';
import { bodyOf, idleJournal, sampleReceived, sampleTarget } from '../samples.ts';
import { createServers, type InCopy } from './differing-servers.ts';

export const partitions = 2;
const stream = 'S';
const stepMs = 250;
const here: readonly InCopy[] = ['there', 'there', 'there'];

export function createDifferingBench() {
  const clock = createTestClock();
  const servers = createServers(clock);
  const encode = createSinkEncoder(partitions);
  const sent: { readonly key: string; readonly at: number }[] = [];
  /** What the target has accepted. */
  const taken = new Set<string>();
  /** Of the next attempts; then all are forwarded. */
  const verdicts: AttemptResult['verdict'][] = [];
  /** How long the next attempts take, in milliseconds; then none takes any time. */
  const takes: number[] = [];
  /** Of each task, what is being sent. */
  const sending = new Map<string, string>();
  /** Sent while another one of the same task was. */
  const overlaps: string[] = [];
  const target: Target = {
    name: sampleTarget,
    async send({ idempotencyKey = '', body }, _attempt, signal) {
      const task = new TextDecoder().decode(body);
      const before = sending.get(task);
      if (before !== undefined) overlaps.push(`${before} and ${idempotencyKey}`);
      sending.set(task, idempotencyKey);
      const ms = takes.shift() ?? 0;
      if (ms > 0) await clock.sleep(ms, signal);
      sending.delete(task);
      if (signal.aborted) return { verdict: 'unavailable', outcome: 'aborted', milliseconds: ms };
      sent.push({ key: idempotencyKey, at: clock.monotonic() });
      const verdict = verdicts.shift() ?? 'forwarded';
      if (verdict === 'forwarded') taken.add(idempotencyKey);
      return { verdict, outcome: '200', milliseconds: 1 };
    },
  };
  const parts = { nats: servers.nats, clock, stream, partitions, targets: [target] };
  let started = 0;
  return {
    clock,
    servers,
    sent,
    taken,
    verdicts,
    takes,
    overlaps,
    keys: () => sent.map(({ key }) => key).join(' '),
    consumer: (partition: number) => consumerFor(sampleTarget, partition),
    ensure: () => ensureConsumers({ ...parts, ackWaitMs }),
    start: () =>
      startSinkForwarder({
        ...parts,
        journal: { mark() {}, state: () => idleJournal, unsettled: () => 0 },
        holder: `forwarder ${++started}`,
        chooseTargets: ({ events }) =>
          events.some(({ eventType }) => eventType === 'Wanted') ? [target] : [],
        random: () => 0.5,
        concurrency: 10,
        maxAttempts: 12,
        giveUpAfterMs: 86_400_000,
        onActivity() {},
        createConsumers: async () => undefined,
      }),
    /** As real time would pass: what became due has its effects before the next quarter of a second. */
    async pass(seconds: number) {
      for (let step = 0; step < (seconds * 1_000) / stepMs; step++) {
        for (let turn = 0; turn < 15; turn++) await new Promise((resolve) => setImmediate(resolve));
        clock.advance(stepMs);
      }
    },
    store(key: string, { partition = 0, isForTarget = true, copies = here } = {}) {
      const eventType = isForTarget ? 'Wanted' : 'Other';
      const body = bodyOf([{ taskId: `T${partition}`, eventType }]);
      const { payload } = encode(sampleReceived({ body, idempotencyKey: key, receivedAt: clock.now() }));
      const subject = sinkSubjects.delivery(stream, partition);
      servers.store({ subject, time: clock.now(), id: key, payload, copies });
    },
  };
}
