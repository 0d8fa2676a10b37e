// Records the status of this forwarder in the sink: where it sends, and which targets it cannot reach. It does so at its start, at each
// change, at intervals while it runs, and when it ends. It takes over the slot of a forwarder that has ended, so that there are seldom more
// slots than forwarders. The last message in a slot is the current one.

import type { Routes } from '../../../receiver/forwarding/target-choice.ts';
import { sinkStreams, sinkSubjects } from '../../../receiver/sink/sink-layout.ts';
import { isFault } from '../../../receiver/sink/until-quorum.ts';
import type { NatsConnection, NatsFault, World } from '../../../world/world.ts';
import { type Forwarding, type ForwardingRecord, followForwarding } from '../listen/forwarding-file.ts';
import { type ForwarderStatus, heartbeatMs, readSinkForwarders } from './sink-forwarders.ts';

export interface ForwarderRecord extends ForwardingRecord {
  /** Records that it has ended. Never rejects. */
  end(): Promise<void>;
}

export interface RecordOptions extends Pick<ForwarderStatus, 'holder' | 'host' | 'pid' | 'partial'> {
  readonly nats: Pick<NatsConnection, 'publish' | 'readAll'>;
  readonly clock: World['clock'];
  readonly random: World['random'];
  readonly stream: string;
}

interface Slot {
  readonly number: number;
  /** The sequence number of the last message there; 0 if there is none. */
  readonly at: number;
}

const publishMs = 3_000;
/** After a failure: by then the servers may have elected a leader. */
const tryAgainMs = 5_000;
/** Others may choose the same slot. */
const mostChoices = 20;
const slots = 1_000_000;

/** Nothing waits for it: a forwarder works without it. */
export function recordForwarder(
  { nats, clock, random, stream, ...self }: RecordOptions,
  routing: Routes<string>,
): ForwarderRecord {
  let last: Forwarding = { ...routing, outages: [] };
  let hasEnded = false;
  let slot: Slot | undefined;
  let cancel = () => {};
  let writing = Promise.resolve();

  const chooseSlot = async (): Promise<Slot> => {
    const all = await readSinkForwarders(nats, stream, clock.now());
    const found = all.find(({ holder }) => holder === self.holder) ?? all.find(({ isRunning }) => !isRunning);
    if (found) return found;
    // At random, so that forwarders that start at the same time choose different slots. Letting the server reject the second would do harm
    // with NATS 2.9 (sink-progress.ts).
    let number = Math.floor(random() * slots);
    while (all.some((one) => one.number === number)) number += 1;
    return { number, at: 0 };
  };

  /** Resolves with the fault, if it failed. */
  const write = async (): Promise<NatsFault['fault'] | undefined> => {
    const status: ForwarderStatus = { ...last, ...self, hasEnded };
    const payload = new TextEncoder().encode(JSON.stringify(status));
    for (let left = mostChoices; left > 0; left -= 1) {
      const { number, at }: Slot = slot ?? (await chooseSlot());
      const published = await nats.publish(sinkSubjects.forwarder(stream, number), payload, {
        stream: sinkStreams(stream).progress,
        ...(at === 0 ? {} : { expectedLast: at }),
        timeoutMs: publishMs,
      });
      slot = 'fault' in published ? undefined : { number, at: published.sequence };
      if (!('fault' in published)) return undefined;
      if (published.fault !== 'conflict') return published.fault;
    }
    return 'conflict';
  };

  const record = () => {
    writing = writing.then(async () => {
      cancel();
      // Without a slot, nothing has been recorded.
      if (hasEnded && slot === undefined) return;
      const fault = await write().catch((error: unknown) => faultOf(error));
      if (hasEnded || fault === 'closed') return;
      cancel = clock.after(fault === undefined ? heartbeatMs : tryAgainMs, () => void record());
    });
    return writing;
  };

  const following = followForwarding({ clock }, routing, (now) => {
    last = now;
    return record();
  });
  return {
    ...following,
    end() {
      hasEnded = true;
      cancel();
      return record();
    },
  };
}

/** The fault of an error that was thrown while a stream was read. */
function faultOf(error: unknown): NatsFault['fault'] {
  const cause = error instanceof Error ? error.cause : undefined;
  return isFault(cause) ? cause.fault : 'failed';
}
