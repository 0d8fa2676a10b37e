// Forwards the deliveries of a sink, as one of any number of forwarders. For each target and partition, it fetches a delivery, reports
// that it is working on it, sends it, records the outcome, and acknowledges the delivery or puts it back.

import { omitUndefined } from '#omit-undefined.ts';
import type { Forwarder, ForwarderOptions } from '#receiver/core/forwarding/forwarder.ts';
import { judgeAttempt } from '#receiver/core/forwarding/retry-delay.ts';
import type { AttemptResult } from '#receiver/core/forwarding/target.ts';
import type { StoredDelivery } from '#receiver/core/intake/delivery-journal.ts';
import { eventsOf } from '#receiver/core/intake/read-events.ts';
import type { NatsFault, NatsMessage, NatsPulled } from '#world/world.ts';
import { ensureConsumers } from './sink-consumers.ts';
import { describeFault, isFault } from './sink-faults.ts';
import { ackWaitMs, consumerName, type Sink } from './sink-layout.ts';
import { createSinkLine, type SinkLine } from './sink-line.ts';
import { decodeDelivery, lastAttempt, type SinkNote } from './sink-message.ts';

type SinkForwarderOptions = Omit<ForwarderOptions, 'journal' | 'clock' | 'window'> & Sink;

/**
 * How long a request for the next delivery waits at the server, which loses it if it dies. Less than `ackWaitMs`, so that a process that
 * was paused knows that the responses since then belong to another forwarder.
 */
const pullMs = ackWaitMs / 2;
/** Short, because another forwarder gets the delivery if its outcome is not written soon after an election. */
const publishMs = 1_000;
const retryMs = 1_000;
/** How often this process reports that it is still working on a delivery. */
const progressMs = ackWaitMs / 5;
/** Shorter faults are not reported: the servers elect a leader, or the connection comes back. */
const transientMs = 8_000;
/** Faults that do not pass by themselves. */
const lastingFaults: readonly NatsFault['fault'][] = ['not-found', 'full', 'not-allowed', 'conflict'];

interface HeldDelivery {
  readonly line: SinkLine;
  readonly consumer: string;
  readonly message: NatsPulled;
  /** True if this process was paused for so long that another forwarder has the delivery. */
  isExpired(): boolean;
}

export class SinkForwarder implements Forwarder {
  readonly #options: SinkForwarderOptions;
  /** The name of the consumers in reports. */
  readonly #consumerSource: string;
  readonly #lines: readonly SinkLine[];
  readonly #stopping = new AbortController();
  /** What has been fetched and is not settled or put back yet. */
  readonly #handling = new Set<Promise<void>>();
  #isDraining = false;
  #creating: Promise<void> | undefined;
  /** What fails at present, and since when. */
  readonly #failing = new Map<string, number>();
  /** What was reported in this outage. */
  readonly #reported = new Set<string>();

  constructor(options: SinkForwarderOptions) {
    const { targets, partitions } = options;
    this.#options = options;
    this.#consumerSource = `a consumer of the stream ${options.names.deliveries}`;
    this.#lines = targets.map((target) => createSinkLine(target, options));
    for (const line of this.#lines)
      for (let partition = 0; partition < partitions; partition += 1) void this.#run(line, partition);
  }

  get #isEnding(): boolean {
    return this.#isDraining || this.#stopping.signal.aborted;
  }

  async #run(line: SinkLine, partition: number): Promise<void> {
    const { nats, clock, names } = this.#options;
    const consumer = consumerName(line.target.name, partition);
    while (!this.#isEnding) {
      await line.open();
      if (this.#isEnding) return;
      const requestedAt = clock.monotonic();
      const message = await nats.pull(names.deliveries, consumer, pullMs);
      if (isFault(message)) {
        await this.#recover(message, requestedAt);
        continue;
      }
      this.#report(this.#consumerSource, undefined);
      if (message === undefined) continue;
      const handling = this.#take(line, consumer, message, requestedAt);
      this.#handling.add(handling);
      await handling.finally(() => this.#handling.delete(handling));
    }
  }

  /** Waits for the election of a new leader, or restores a consumer or stream that another program has deleted. */
  async #recover(fault: NatsFault, requestedAt: number): Promise<void> {
    const { clock, random, targets } = this.#options;
    this.#report(this.#consumerSource, fault);
    if (fault.fault === 'not-found')
      this.#creating ??= ensureConsumers(this.#options, targets).then((failed) => {
        this.#report(this.#consumerSource, failed);
        this.#creating = undefined;
      });
    await this.#creating;
    // Without a connection or a leader, the fault comes at once.
    if (clock.monotonic() - requestedAt < retryMs)
      await clock.sleep(retryMs * random(), this.#stopping.signal);
  }

  /** Handles a delivery, and reports progress meanwhile. `heldSince`: the earliest time at which the server can have handed it out. */
  async #take(line: SinkLine, consumer: string, message: NatsPulled, heldSince: number): Promise<void> {
    const { clock } = this.#options;
    const isExpired = () => clock.monotonic() - heldSince > ackWaitMs;
    const keep = () => {
      if (isExpired()) return;
      heldSince = clock.monotonic();
      message.keep();
      cancel = clock.after(progressMs, keep);
    };
    let cancel = clock.after(progressMs, keep);
    try {
      if (isExpired()) return;
      line.failed.delete(consumer);
      if (this.#isEnding) message.putBack(0);
      else await this.#handle({ line, consumer, message, isExpired });
    } finally {
      cancel();
      line.held.delete(message.sequence);
    }
  }

  async #handle(held: HeldDelivery): Promise<void> {
    const { chooseTargets } = this.#options;
    const { line, consumer, message } = held;
    const { signal } = this.#stopping;
    const delivery = decodeDelivery(message);
    // Another program has published this: retrying would not make it a delivery.
    if (delivery === undefined) {
      await this.#publishDead(consumer, message);
      return message.ack();
    }
    const chosen = chooseTargets(eventsOf(delivery));
    if (chosen.length === 0 && line === this.#lines[0])
      return this.#conclude(held, delivery, { target: '', attempt: 1, of: 1 }, noTarget);
    if (!chosen.includes(line.target)) return message.ack();
    line.held.set(message.sequence, delivery.receivedAt);
    const recorded = message.earlierDeliveries === 0 ? undefined : await lastAttempt(this.#options, consumer);
    if (isFault(recorded)) return message.putBack(retryMs);
    const last =
      recorded?.sequence === message.sequence && recorded.stored === message.time ? recorded : undefined;
    // The target has it already: only the acknowledgement was lost.
    if (last !== undefined && last.verdict !== 'retry') return message.ack();
    const attempt = (last?.attempt ?? 0) + 1;
    const leave = await line.enter();
    if (leave === undefined) return message.putBack(signal.aborted ? 0 : retryMs);
    if (held.isExpired()) return leave();
    const result = await line.target.send(delivery, attempt, signal, message.earlierDeliveries > 0);
    leave(signal.aborted ? undefined : result);
    if (result.verdict !== 'forwarded') {
      // Another forwarder has it. An attempt that was cut short by the end of this process does not count either.
      if (held.isExpired()) return;
      if (signal.aborted) return message.putBack(0);
      // Nothing reached the target, so this does not count as an attempt.
      if (result.verdict === 'unavailable' && !line.givesUp(delivery.receivedAt))
        return message.putBack(retryMs);
    }
    if (result.verdict === 'forwarded') line.forwardedAt = this.#options.clock.now();
    // What other forwarders got through is in their notes, once one of them makes the next attempt.
    const isStalled = last === undefined || (last.stalledMs !== undefined && line.forwardedAt <= last.time);
    const waitedMs = (last?.stalledMs ?? 0) + (last?.delay ?? 0) + result.milliseconds;
    const attempted = { target: line.target.name, attempt, of: chosen.length };
    await this.#conclude(held, delivery, { ...attempted, ...(isStalled && { stalledMs: waitedMs }) }, result);
  }

  async #conclude(
    { line, consumer, message }: HeldDelivery,
    delivery: StoredDelivery,
    { target, attempt, of, stalledMs }: Pick<SinkNote, 'target' | 'attempt' | 'of' | 'stalledMs'>,
    result: AttemptResult,
  ): Promise<void> {
    const { clock, names, onActivity } = this.#options;
    const { outcome, milliseconds, detail } = result;
    const judged = judgeAttempt(this.#options, result, attempt, stalledMs);
    const { verdict, delay } = judged;
    const note: SinkNote = {
      kind: 'attempt',
      sequence: message.sequence,
      time: clock.now(),
      target,
      attempt,
      milliseconds,
      outcome,
      ...judged,
      finishes: verdict !== 'retry' && of === 1,
      stored: message.time,
      of,
    };
    if (verdict === 'dead') await this.#publishDead(consumer, message);
    const id = `${consumer}-${note.sequence}-${note.time}`;
    await this.#publish(names.attempts(consumer), JSON.stringify(note), { stream: names.log, id });
    onActivity({ ...note, delivery, ...omitUndefined({ detail }) });
    if (delay === undefined) return message.ack();
    line.failed.set(consumer, { receivedAt: delivery.receivedAt, due: clock.monotonic() + delay });
    message.putBack(delay);
  }

  #publishDead(consumer: string, { payload, sequence, time }: NatsMessage): Promise<void> {
    // The time matters: a stream that is created again gives the same number to another delivery.
    const id = `${consumer}-${sequence}-${time}`;
    const { names } = this.#options;
    return this.#publish(names.deadLetters(consumer), payload, { stream: names.dead, id });
  }

  /** Retries until the message is stored: this process must not forget what it has sent. */
  async #publish(
    subject: string,
    payload: Uint8Array | string,
    to: { readonly stream: string; readonly id: string },
  ) {
    const { nats, clock, random } = this.#options;
    for (;;) {
      const published = await nats.publish(subject, payload, { ...to, timeoutMs: publishMs });
      this.#report(`the stream ${to.stream}`, isFault(published) ? published : undefined);
      if (!isFault(published) || published.fault === 'closed') return;
      await clock.sleep((retryMs / 4) * random());
    }
  }

  /** Reports a fault of the sink once, and only if it lasts. */
  #report(source: string, fault: NatsFault | undefined): void {
    const { nats, clock, onActivity } = this.#options;
    if (fault === undefined) {
      if (!this.#failing.delete(source) || this.#failing.size > 0 || this.#reported.size === 0) return;
      this.#reported.clear();
      onActivity({ kind: 'sink', fault: undefined });
      return;
    }
    const now = clock.monotonic();
    const since = this.#failing.get(source) ?? now;
    this.#failing.set(source, since);
    const lasts = lastingFaults.includes(fault.fault);
    if (!lasts && (this.#reported.size > 0 || now - since < transientMs)) return;
    const description =
      fault.fault === 'not-found' ? `${source} is gone` : describeFault(fault, nats.outage());
    const text = fault.fault === 'conflict' ? fault.detail : description;
    if (this.#reported.has(text)) return;
    this.#reported.add(text);
    onActivity({ kind: 'sink', fault: text });
  }

  state(): ReturnType<Forwarder['state']> {
    const targets = this.#lines.map((line) => line.state());
    return {
      inFlight: targets.reduce((sum, { inFlight }) => sum + inFlight, 0),
      waiting: targets.reduce((sum, { waiting }) => sum + waiting, 0),
      targets,
    };
  }

  /** Leaves deliveries that are not yet fetched to other forwarders or the next run. */
  async drain(limitMs: number): Promise<void> {
    this.#isDraining = true;
    const isDone = new AbortController();
    await Promise.race([Promise.all(this.#handling), this.#options.clock.sleep(limitMs, isDone.signal)]);
    isDone.abort();
    await this.stop();
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const line of this.#lines) line.stop();
    await Promise.all(this.#handling);
  }
}

const noTarget = { verdict: 'forwarded', outcome: 'no-target', milliseconds: 0 } as const;
