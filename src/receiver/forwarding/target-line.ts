// Sends the deliveries of one target: several at a time, retrying after a backoff up to the limit. During an outage of the target, one
// delivery probes and the others wait. Such probes do not count as attempts, because the delivery is not to blame.

import { errorMessage } from '#failure.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { Clock, Random } from '#world/world.ts';
import type { StoredDelivery } from '../intake/stored-delivery.ts';
import { probeDelayMs, retryDelayMs } from './retry-delay.ts';
import type { AttemptResult, Target } from './target.ts';

/** One delivery for one target. */
export interface Job {
  readonly sequence: number;
  readonly receivedAt: number;
  /** The attempts so far, in this run and earlier ones. */
  attempts: number;
  /** Rejects if the delivery cannot be read. */
  load(): Promise<StoredDelivery>;
  /**
   * Called after each attempt; after `forwarded` and `dead`, the line drops the delivery. Resolves once the result survives a kill. The
   * delivery is in flight until then, so that a kill repeats no more deliveries than are sent at a time.
   */
  onAttempt(attempt: MadeAttempt): Promise<void>;
}

export interface LineOptions {
  readonly clock: Pick<Clock, 'now' | 'monotonic' | 'after'>;
  readonly random: Random;
  /** Attempts at a time. */
  readonly concurrency: number;
  readonly maxAttempts: number;
  readonly giveUpAfterMs: number;
  /** Called when an outage begins, and with `undefined` when it ends. */
  onOutage(target: string, fault: string | undefined): void;
  /** Called after each attempt, whatever the result. */
  onIdle(): void;
}

export interface MadeAttempt extends Pick<AttemptResult, 'outcome' | 'milliseconds' | 'detail'> {
  readonly verdict: 'forwarded' | 'retry' | 'dead';
  readonly attempt: number;
  /** `undefined` if the delivery could not be read, or was given up without another attempt. */
  readonly delivery: StoredDelivery | undefined;
  /** Milliseconds until the next attempt. */
  readonly delay?: number;
}

export interface LineState {
  readonly target: string;
  readonly inFlight: number;
  /** Deliveries that wait for their turn or the end of an outage. */
  readonly waiting: number;
  /** Deliveries that failed and wait for the next attempt. */
  readonly retrying: number;
  /** Why the target cannot be reached; `undefined` if it can. */
  readonly fault: string | undefined;
}

interface Outage {
  readonly fault: string;
  /** When the outage began, on the monotonic clock. */
  readonly since: number;
  probes: number;
  nextProbeAt: number | undefined;
  /** Set once the outage has lasted too long: old deliveries are then given up with this result. */
  end: AttemptResult | undefined;
}

export class TargetLine {
  readonly #target: Target;
  readonly #options: LineOptions;
  readonly #ready = createJobQueue<Job>();
  readonly #retries = new Map<Job, { readonly dueAt: number; readonly cancel: () => void }>();
  // One controller for each attempt: Node warns about a signal with many listeners.
  readonly #inFlight = new Map<number, AbortController>();
  #cancelProbe = () => {};
  #isStopped = false;
  #outage: Outage | undefined;
  /** Changes when an outage begins or ends, which makes the results of older attempts out of date. */
  #era = 0;

  constructor(target: Target, options: LineOptions) {
    this.#target = target;
    this.#options = options;
  }

  add(job: Job): void {
    this.#ready.add(job);
    // Giving up a delivery releases the next of its subject, which may be as old.
    if (this.#outage) this.#giveUp(this.#outage);
    this.#pump();
    this.#scheduleProbe();
  }

  state(): LineState {
    return {
      target: this.#target.name,
      inFlight: this.#inFlight.size,
      waiting: this.#ready.size,
      retrying: this.#retries.size,
      fault: this.#outage?.fault,
    };
  }

  /** The deliveries that are being sent. */
  sending(): Iterable<number> {
    return this.#inFlight.keys();
  }

  /** When the next retry or probe is due, on the monotonic clock; infinity if none is. */
  nextAttemptAt(): number {
    let soonest = this.#outage?.nextProbeAt ?? Number.POSITIVE_INFINITY;
    for (const { dueAt } of this.#retries.values()) soonest = Math.min(soonest, dueAt);
    return soonest;
  }

  /** Ends the attempts and starts no more. An attempt in flight still counts if the target has accepted it. */
  stop(): void {
    this.#isStopped = true;
    this.#cancelProbe();
    for (const { cancel } of this.#retries.values()) cancel();
    for (const controller of this.#inFlight.values()) controller.abort();
  }

  #pump(): void {
    while (!this.#isStopped && !this.#outage && this.#inFlight.size < this.#options.concurrency) {
      const job = this.#ready.take();
      if (!job) return;
      void this.#attempt(job);
    }
  }

  async #attempt(job: Job): Promise<void> {
    const [outage, era] = [this.#outage, this.#era];
    const controller = new AbortController();
    this.#inFlight.set(job.sequence, controller);
    const { result, delivery } = await sendTo(this.#target, job, controller.signal);
    // After a stop, a delivery stays unfinished unless the target has accepted it.
    if (!this.#isStopped || result.verdict === 'forwarded') {
      if (result.verdict !== 'unavailable') {
        if (outage) this.#endOutage();
        const recording = this.#conclude(job, result, delivery);
        if (recording) await recording;
      } else {
        this.#ready.add(job);
        if (outage) this.#extendOutage(outage, result);
        else if (!this.#outage && era === this.#era) this.#beginOutage(result);
      }
    }
    this.#inFlight.delete(job.sequence);
    this.#pump();
    this.#options.onIdle();
  }

  /** Returns `undefined` if another attempt follows. */
  #conclude(
    job: Job,
    { verdict, outcome, milliseconds, detail, retryAfterMs }: AttemptResult,
    delivery: StoredDelivery | undefined,
  ): Promise<void> | undefined {
    const { clock, random, maxAttempts } = this.#options;
    job.attempts += 1;
    const made = { attempt: job.attempts, outcome, milliseconds, ...omitUndefined({ detail }), delivery };
    if (verdict === 'forwarded') return job.onAttempt({ ...made, verdict });
    if (verdict === 'dead' || job.attempts >= maxAttempts) return job.onAttempt({ ...made, verdict: 'dead' });
    const delay = retryDelayMs(job.attempts, random, retryAfterMs);
    const cancel = clock.after(delay, () => {
      this.#retries.delete(job);
      this.#ready.add(job);
      this.#pump();
      this.#scheduleProbe();
    });
    this.#retries.set(job, { dueAt: clock.monotonic() + delay, cancel });
    void job.onAttempt({ ...made, verdict: 'retry', delay });
    return undefined;
  }

  #beginOutage({ outcome, detail }: AttemptResult): void {
    this.#era += 1;
    const fault = detail ?? outcome;
    const since = this.#options.clock.monotonic();
    this.#outage = { fault, since, probes: 1, nextProbeAt: undefined, end: undefined };
    this.#options.onOutage(this.#target.name, fault);
    this.#scheduleProbe();
  }

  #endOutage(): void {
    this.#era += 1;
    this.#outage = undefined;
    this.#options.onOutage(this.#target.name, undefined);
  }

  #extendOutage(outage: Outage, result: AttemptResult): void {
    const { clock, giveUpAfterMs } = this.#options;
    outage.probes += 1;
    outage.nextProbeAt = undefined;
    if (clock.monotonic() - outage.since >= giveUpAfterMs) outage.end = result;
    this.#giveUp(outage);
    this.#scheduleProbe();
  }

  #scheduleProbe(): void {
    const { clock, random } = this.#options;
    const outage = this.#outage;
    if (!outage || outage.nextProbeAt !== undefined || this.#isStopped) return;
    const delay = probeDelayMs(outage.probes, random);
    outage.nextProbeAt = clock.monotonic() + delay;
    this.#cancelProbe = clock.after(delay, () => this.#probe());
  }

  #probe(): void {
    const outage = this.#outage;
    if (!outage) return;
    // Not always the oldest: the command may fail to start for that delivery alone.
    const job = this.#ready.size === 0 ? undefined : this.#ready.take(outage.probes % this.#ready.size);
    if (job) void this.#attempt(job);
    // The next delivery to join starts the probes again.
    else outage.nextProbeAt = undefined;
  }

  #giveUp({ end }: Outage): void {
    if (!end) return;
    const { clock, giveUpAfterMs } = this.#options;
    const { outcome, detail } = end;
    const isExpired = (job: Job) => clock.now() - job.receivedAt >= giveUpAfterMs;
    for (const job of this.#ready.takeAll(isExpired)) {
      const made = { attempt: job.attempts + 1, outcome, milliseconds: 0, ...omitUndefined({ detail }) };
      void job.onAttempt({ ...made, verdict: 'dead', delivery: undefined });
    }
  }
}

/** Never rejects, whatever the target does. An unreadable delivery fails alone. */
async function sendTo(
  target: Target,
  job: Job,
  signal: AbortSignal,
): Promise<{ readonly result: AttemptResult; readonly delivery?: StoredDelivery }> {
  try {
    const delivery = await job.load();
    if (signal.aborted) return { result: { verdict: 'unavailable', outcome: 'aborted', milliseconds: 0 } };
    return { result: await target.send(delivery, job.attempts + 1, signal), delivery };
  } catch (error) {
    const result = { verdict: 'retry', outcome: 'failed', milliseconds: 0 } as const;
    return { result: { ...result, detail: errorMessage(error) } };
  }
}

interface Ordered {
  readonly sequence: number;
}

export function createJobQueue<J extends Ordered>() {
  // Oldest last: removing the oldest job moves no others.
  let jobs: J[] = [];
  return {
    get size() {
      return jobs.length;
    },
    add(job: J) {
      let [from, to] = [0, jobs.length];
      while (from < to) {
        const middle = (from + to) >> 1;
        if ((jobs[middle]?.sequence ?? 0) > job.sequence) from = middle + 1;
        else to = middle;
      }
      jobs.splice(from, 0, job);
    },
    /** Removes and returns the n-th oldest job, from 0. */
    take(position = 0) {
      const index = jobs.length - 1 - position;
      return index < 0 ? undefined : jobs.splice(index, 1)[0];
    },
    /** Removes and returns the matching jobs, oldest first. */
    takeAll(matches: (job: J) => boolean): readonly J[] {
      const taken = new Set(jobs.filter(matches));
      jobs = jobs.filter((job) => !taken.has(job));
      return [...taken].toReversed();
    },
  };
}
