// Records each replay from a sink as a message in NAME-log. A message in NAME-state, which a running replay renews, keeps a second one on
// any machine from sending the same deliveries.

import { Failure } from '#failure.ts';
import type { NatsFault, NatsPublished } from '#world/world.ts';
import {
  groupReplays,
  parseReplay,
  type ReplayRecorder,
  type ReplayStore,
} from '../archive/deliveries/replays-file.ts';
import { readStream } from './jetstream/sink-entries.ts';
import { isFault, untilQuorum } from './jetstream/sink-faults.ts';
import type { Sink } from './jetstream/sink-layout.ts';
import { sinkFailure } from './sink-failures.ts';

/** A replay is over if it has not renewed its message for this long. */
const holdMs = 10_000;
const renewMs = holdMs / 4;
const publishMs = 3_000;
/** The time limit to record a replay: long enough for an election. */
const recordMs = 15_000;
const released = 'over';

export function createSinkReplays(sink: Sink): ReplayStore {
  const { nats, clock, url, names } = sink;
  const { log, state, replays: subject, replaying } = names;

  /** Writes the message of the running replay, or `over`. A conflict means that another process has written after `expectedLast`. */
  const writeLock = (text: string, expectedLast: number) =>
    nats.publish(replaying, text, { stream: state, expectedLast, timeoutMs: publishMs });
  const acquireLock = async (holder: string): Promise<NatsPublished | NatsFault> => {
    const last = await nats.read(state, { last_by_subj: replaying });
    if (isFault(last)) return last.fault === 'not-found' ? writeLock(holder, 0) : last;
    // It is this process's own message if only the response was lost.
    const isFree = [released, holder].includes(new TextDecoder().decode(last.payload));
    const isHeld = !isFree && clock.now() - last.time < holdMs;
    return isHeld ? { fault: 'conflict', detail: '' } : writeLock(holder, last.sequence);
  };

  async function* recorded() {
    for await (const { payload } of readStream(sink, log, { from: 1, subject }))
      yield parseReplay(new TextDecoder().decode(payload));
  }
  const openRecorder = async (): Promise<ReplayRecorder> => {
    const holder = sink.randomBytes(12).toString('hex');
    const lock = await untilQuorum(sink, recordMs, () => acquireLock(holder));
    if (isFault(lock)) throw lock.fault === 'conflict' ? alreadyReplaying() : sinkFailure(lock, url);
    let lastSequence = lock.sequence;
    let isLost = false;
    const ending = new AbortController();
    const renew = async () => {
      const renewed = await writeLock(holder, lastSequence);
      if (!isFault(renewed)) lastSequence = renewed.sequence;
      else isLost ||= renewed.fault === 'conflict';
    };
    const holdLock = async () => {
      const pause = () => clock.sleep(renewMs, ending.signal);
      // A slow server must not delay the next attempt as well.
      for (await pause(); !ending.signal.aborted; ) await Promise.all([renew(), pause()]);
    };
    const holding = holdLock();
    return {
      async add(replay) {
        if (isLost) throw alreadyReplaying();
        const id = `${holder}-${replay.sequence}-${replay.time}-${replay.target}`;
        const published = await untilQuorum(sink, recordMs, () =>
          nats.publish(subject, JSON.stringify(replay), { stream: log, id, timeoutMs: publishMs }),
        );
        if (isFault(published)) throw sinkFailure(published, url);
      },
      async close() {
        ending.abort();
        await holding;
        if (!isLost) await writeLock(released, lastSequence);
      },
    };
  };

  return {
    name: `the stream ${log}`,
    read: () => groupReplays(recorded()),
    async version() {
      const last = await nats.read(log, { last_by_subj: subject });
      return 'fault' in last ? 0 : last.sequence;
    },
    open: openRecorder,
  };
}

function alreadyReplaying(): Failure {
  return new Failure('other', {
    message: 'Another wm webhook replay is sending deliveries of this sink',
    why: 'it may run on another machine',
    hint: 'Wait until it ends. If it was killed, wait ten seconds.',
  });
}
