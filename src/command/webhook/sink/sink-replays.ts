// Records what `webhook replay` has sent from a sink: a message for each replay, in the stream of notes. A claim like that of a forwarder
// keeps a second replay, on any machine, from sending the same deliveries at the same time.

import { randomBytes } from 'node:crypto';
import { Failure } from '../../../failure.ts';
import { createClaims } from '../../../receiver/sink/sink-claims.ts';
import { holdMs } from '../../../receiver/sink/sink-forwarder.ts';
import { sinkStreams, sinkSubjects } from '../../../receiver/sink/sink-layout.ts';
import type { SinkUrl } from '../../../receiver/sink/sink-url.ts';
import { untilQuorum } from '../../../receiver/sink/until-quorum.ts';
import type { NatsConnection, World } from '../../../world/world.ts';
import type { ReplayStore } from '../deliveries/delivery-place.ts';
import { parseReplay, type Replay, type ReplayRecorder } from '../deliveries/replays-file.ts';
import { sinkFailure } from './sink-failures.ts';

/** What a replay claims, as a forwarder claims a delivery of a consumer. No consumer has such a name. */
const claimed = { consumer: 'replays', sequence: 1, time: 0 };
const renewMs = holdMs / 4;
const publishMs = 3_000;
/** Long enough for an election. */
const recordMs = 15_000;

export function createSinkReplays(
  { clock }: Pick<World, 'clock'>,
  nats: NatsConnection,
  url: SinkUrl,
): ReplayStore {
  const { stream } = url;
  const log = sinkStreams(stream).log;
  const subject = sinkSubjects.replays(stream);

  const openRecorder = async (): Promise<ReplayRecorder> => {
    const holder = randomBytes(12).toString('hex');
    const claims = createClaims({ nats, clock, stream, holder, holdMs, unchangedMs: 0 });
    const result = await untilQuorum(clock, recordMs, () => claims.claim(claimed.consumer, claimed));
    if ('fault' in result) throw sinkFailure(result, url);
    if (result.kind !== 'claimed') throw alreadyReplaying();
    const { claim } = result;
    let isLost = false;
    let isOver = false;
    let cancel = () => {};
    const renewLater = () => {
      cancel = clock.after(renewMs, () => {
        void claim.renew().then((renewed) => {
          if (isOver) return;
          if (renewed === 'lost') isLost = true;
          else renewLater();
        });
      });
    };
    renewLater();
    return {
      async add(replay) {
        if (isLost) throw alreadyReplaying();
        const payload = new TextEncoder().encode(JSON.stringify(replay));
        const id = `${holder}-${replay.sequence}-${replay.time}-${replay.target}`;
        const published = await untilQuorum(clock, recordMs, () =>
          nats.publish(subject, payload, { stream: log, id, timeoutMs: publishMs }),
        );
        if ('fault' in published) throw sinkFailure(published, url);
      },
      async close() {
        isOver = true;
        cancel();
        await claim.record('retry', 0);
      },
    };
  };

  return {
    name: `the stream ${log}`,
    async read() {
      const bySequence = new Map<number, Replay[]>();
      let unreadable = 0;
      for await (const { payload } of nats.readAll(log, { from: 1, subject })) {
        const replay = parseReplay(new TextDecoder().decode(payload));
        if (replay === undefined) unreadable += 1;
        else bySequence.set(replay.sequence, [...(bySequence.get(replay.sequence) ?? []), replay]);
      }
      return { bySequence, unreadable };
    },
    async version() {
      const last = await nats.read(log, { lastOf: subject });
      return 'fault' in last ? 0 : last.sequence;
    },
    open: openRecorder,
  };
}

function alreadyReplaying(): Failure {
  return new Failure('other', {
    message: 'Another wm webhook replay is sending deliveries of this sink',
    why: 'it may run on another machine',
    hint: 'Wait until it has ended. After one that was killed, wait ten seconds.',
  });
}
