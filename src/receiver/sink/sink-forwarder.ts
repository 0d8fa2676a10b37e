// Forwards the deliveries of a sink, together with any number of other forwarders: for each target and partition, a consumer hands out one
// delivery at a time to whichever forwarder asks. The outcome is recorded before the consumer hands out the next one.

import type { NatsConnection, NatsFault, NatsPulled, NatsStream, World } from '../../world/world.ts';
import type { OnActivity } from '../activity.ts';
import type { Forwarder } from '../forwarding/forwarder.ts';
import type { Target } from '../forwarding/target.ts';
import type { DeliveredEvents } from '../read-events.ts';
import { createServerWatch, createWatchedPublish } from './server-watch.ts';
import { createClaims } from './sink-claims.ts';
import { createFetch } from './sink-fetch.ts';
import { createSinkGate } from './sink-gate.ts';
import { createHandling } from './sink-handling.ts';
import { describeFault } from './sink-health.ts';
import type { SinkJournal } from './sink-journal.ts';
import { consumerFor, lacksQuorum, sinkStreams, sinkSubjects } from './sink-layout.ts';
import { createSinkLine, type SinkLine } from './sink-line.ts';
import { createSinkOrder } from './sink-order.ts';
import { createOutcomes } from './sink-outcome.ts';
import { createSinkOverlooked } from './sink-overlooked.ts';
import { createSinkTrouble } from './sink-trouble.ts';

export interface SinkForwarderOptions {
  readonly nats: Pick<
    NatsConnection,
    'stream' | 'changeServer' | 'outage' | 'pull' | 'read' | 'publish' | 'consumer' | 'moveConsumer'
  >;
  readonly journal: Pick<SinkJournal, 'mark' | 'state' | 'unsettled'>;
  readonly stream: string;
  readonly partitions: number;
  /** Identifies this process among the forwarders. */
  readonly holder: string;
  readonly targets: readonly Target[];
  chooseTargets(found: DeliveredEvents): readonly Target[];
  readonly clock: World['clock'];
  readonly random: World['random'];
  /** These four are the same as for the local journal. */
  readonly concurrency: number;
  readonly maxAttempts: number;
  readonly giveUpAfterMs: number;
  readonly onActivity: OnActivity;
  /** Creates the consumers that are gone. */
  createConsumers(): Promise<NatsFault | undefined>;
}

/** After this time without a sign of life, another forwarder may send what this one was sending. */
export const holdMs = 10_000;
/** How long the other forwarder watches the claim first. Whoever has sent something tries to record it more often than that. */
const unchangedMs = holdMs / 2;
/** After this time without a sign of life, the server hands the delivery to another forwarder, which begins to watch the claim. */
export const ackWaitMs = holdMs - unchangedMs;
/** How often this process gives a sign of life. */
const renewMs = holdMs / 4;
const againMs = 1_000;
/** How often to check that the server is still part of its cluster. */
const lookMs = 5_000;

export function startSinkForwarder(options: SinkForwarderOptions): Forwarder {
  const { nats, clock, random, stream, journal, onActivity, holder } = options;
  const names = sinkStreams(stream);
  const stopping = new AbortController();
  const { signal } = stopping;
  const trouble = createSinkTrouble({
    clock,
    describe: (fault) => describeFault(fault, nats.outage()),
    onFault: (fault) => onActivity({ kind: 'sink', fault }),
  });
  let isDraining = false;
  const waiters: (() => void)[] = [];
  const changed = () => {
    for (const resolve of waiters.splice(0)) resolve();
  };
  const nextChange = () => new Promise<void>((resolve) => waiters.push(resolve));

  const lines = options.targets.map((target): SinkLine => {
    const onOutage = (fault: string | undefined) =>
      onActivity({ kind: 'target', target: target.name, fault });
    const gate = createSinkGate({ clock, random, concurrency: options.concurrency, onOutage });
    return createSinkLine(target, gate, clock);
  });
  const watch = createServerWatch(nats, clock);
  // What was sent must be recorded before the other forwarders may take over, so these requests must not wait for the look.
  const publish = createWatchedPublish(nats, clock, watch);
  const recording = { publish, read: nats.read };
  const claims = createClaims({ nats: recording, clock, stream, holder, holdMs, unchangedMs });
  const order = createSinkOrder({ nats, claims, stream });
  const overlooked = createSinkOverlooked({ nats, order, stream, clock, signal });
  const { handle, isFor } = createHandling({
    clock,
    claims,
    order,
    outcomes: createOutcomes({ ...options, nats: recording, trouble, signal }),
    chooseTargets: options.chooseTargets,
    first: lines[0],
    onFault: (fault) => trouble.note(`a delivery of the stream ${names.deliveries}`, fault),
    moveConsumer: (consumer) => void nats.moveConsumer(names.deliveries, consumer),
    renewMs,
    isDraining: () => isDraining,
    signal,
  });

  const fetching = { nats, overlooked, deliveries: names.deliveries, clock, random, signal };
  /** Fetches and handles one delivery after the other, until the end. */
  const run = async (line: SinkLine, partition: number) => {
    const consumer = consumerFor(line.target.name, partition);
    const subject = sinkSubjects.delivery(stream, partition);
    const next = createFetch(fetching, consumer, subject, (message) => isFor(line, message));
    while (!signal.aborted && !isDraining) {
      await line.gate.room();
      const message = await next();
      if (message === undefined) continue;
      if ('fault' in message) {
        await createAgain(message);
        continue;
      }
      if (signal.aborted || isDraining) {
        message.putBack(0);
        return;
      }
      const stopKeeping = keepAlive(message);
      try {
        await handle(line, { consumer, subject }, message);
      } catch (error) {
        // The consumer hands it out again.
        onActivity({ kind: 'sink', fault: error instanceof Error ? error.message : String(error) });
        await clock.sleep(againMs, signal);
      } finally {
        stopKeeping();
        line.leave(message.sequence);
        changed();
      }
    }
  };

  let creating: Promise<void> | undefined;
  /** Somebody has deleted a consumer, or the stream with all its consumers. */
  const createAgain = (fault: NatsFault) => {
    creating ??= (async () => {
      const subject = `a consumer of the stream ${names.deliveries}`;
      trouble.note(subject, fault);
      trouble.note(subject, await options.createConsumers());
      await clock.sleep(againMs, signal);
      creating = undefined;
    })();
    return creating;
  };

  /** Keeps the message with this process until the returned function is called. */
  const keepAlive = (message: NatsPulled) => {
    let cancel = () => {};
    const next = () => {
      cancel = clock.after(renewMs, () => {
        message.keep();
        next();
      });
    };
    next();
    return () => cancel();
  };

  /** A consumer that hands out nothing may be empty or unreachable, so the streams are checked too. */
  const watchServer = async () => {
    while (!signal.aborted) {
      await clock.sleep(lookMs, signal);
      const since = clock.monotonic();
      const needed = [names.deliveries, names.progress, names.dead];
      const found = await Promise.all(needed.map((name) => nats.stream(name)));
      const [deliveries] = found;
      if (deliveries && !('fault' in deliveries)) overlooked.onStream(deliveries.lastSequence);
      const faults = found.map(faultOf);
      for (const [at, fault] of faults.entries()) trouble.note(`the stream ${needed[at]}`, fault);
      watch.onResult(
        faults.every((fault) => fault === undefined || fault.fault === 'not-found'),
        since,
      );
    }
  };
  void watchServer();
  const heldNow = () => lines.reduce((sum, line) => sum + line.held(), 0);
  for (const line of lines)
    for (let partition = 0; partition < options.partitions; partition += 1) void run(line, partition);

  const stop = async () => {
    stopping.abort();
    for (const { gate } of lines) gate.stop();
    changed();
    while (heldNow() > 0) await nextChange();
  };

  return {
    state() {
      const states = lines.map((line) => line.state(journal.unsettled(line.target.name)));
      return {
        inFlight: states.reduce((sum, { inFlight }) => sum + inFlight, 0),
        waiting: states.reduce((sum, { waiting }) => sum + waiting, 0),
        targets: states,
      };
    },
    stop,
    /** Deliveries that are not fetched yet are left to the other forwarders, or to the next run. */
    async drain(limitMs) {
      isDraining = true;
      let isOver = false;
      const limit = clock.limit(limitMs, () => {
        isOver = true;
        changed();
      });
      while (heldNow() > 0 && !isOver && lines.some(({ gate }) => gate.state().fault === undefined))
        await nextChange();
      limit.cancel();
      await stop();
      return journal.state().unfinished;
    },
  };
}

/** A server describes its copy of a stream even while the stream has no leader. */
function faultOf(found: NatsStream | NatsFault): NatsFault | undefined {
  if ('fault' in found) return found;
  return lacksQuorum(found) ? { fault: 'no-quorum', detail: 'it has no leader' } : undefined;
}
