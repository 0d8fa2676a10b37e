// Retires a target of a sink: removes its consumers, so that no delivery waits for it any more. How far it came stays recorded, so
// a forwarder that serves it again continues there.

import { joinWithAnd } from '../../../contract/format-list.ts';
import { usageError } from '../../../failure.ts';
import { targetName } from '../../../receiver/forwarding/target-url.ts';
import { createRetriedReads } from '../../../receiver/sink/retried-reads.ts';
import { readBacklog } from '../../../receiver/sink/sink-backlog.ts';
import { sinkStreams } from '../../../receiver/sink/sink-layout.ts';
import type { SinkUrl } from '../../../receiver/sink/sink-url.ts';
import { isFault, untilQuorum } from '../../../receiver/sink/until-quorum.ts';
import { sanitizeLine } from '../../../terminal/sanitize.ts';
import type { Interruption, NatsConnection } from '../../../world/world.ts';
import type { Context } from '../../context.ts';
import { interruptedFailureWith, untilInterrupted } from '../../interrupt.ts';
import type { SinkConnectionFlags } from '../listen/sink-flags.ts';
import { sinkFailure, toSinkFailure } from './sink-failures.ts';
import { readSinkForwarders } from './sink-forwarders.ts';
import { findSinkTargets, hashOfTarget, type SinkTarget } from './sink-targets.ts';
import { nameServers, openSinkNamingServers } from './which-respond.ts';

const removeMs = 15_000;

export interface RetireFlags extends SinkConnectionFlags {
  readonly target?: string;
}

interface Retirable {
  readonly url: SinkUrl;
  readonly nats: NatsConnection;
  readonly target: SinkTarget;
}

export async function retireTarget(context: Context, sink: string, flags: RetireFlags): Promise<void> {
  const { url, nats, target } = await untilInterrupted(context, () => findRetirable(context, sink, flags));
  try {
    await context.confirm(describe(target));
    await removeConsumers(context, nats, sinkStreams(url.stream).deliveries, target);
    await context.report.info(
      `Retired ${nameOf(target)}: no delivery waits for it any more. A forwarder that serves it again continues where it was.`,
    );
  } catch (error) {
    throw await nameServers(context, url, flags, toSinkFailure(error, url));
  } finally {
    await nats.close();
  }
}

/** @throws {Failure} `usage` unless it is a target that no forwarder serves, and not the only one of the sink. */
async function findRetirable(context: Context, sink: string, flags: RetireFlags): Promise<Retirable> {
  const { clock } = context.world;
  const { url, nats } = await openSinkNamingServers(context, sink, flags);
  try {
    const reads = createRetriedReads(nats, clock);
    const backlog = await readBacklog(reads, url.stream);
    if (isFault(backlog)) throw sinkFailure(backlog, url);
    const targets = findSinkTargets(
      backlog.consumers,
      await readSinkForwarders(reads, url.stream, clock.now()),
    );
    const target = chooseTarget(targets, flags.target);
    checkRetirable(targets, target);
    return { url, nats, target };
  } catch (error) {
    await nats.close();
    throw await nameServers(context, url, flags, toSinkFailure(error, url));
  }
}

/** By its URL, with or without the query, by the name of a command, or by its hash. */
function chooseTarget(targets: readonly SinkTarget[], given: string | undefined): SinkTarget {
  const names = given === undefined ? [] : [given, ...(URL.canParse(given) ? [targetName(given)] : [])];
  for (const target of targets) {
    const name = names.find((one) => hashOfTarget(one) === target.hash);
    if (name !== undefined) return { ...target, name };
    if (target.hash === given) return target;
  }
  const known = targets.map((one) => (one.name === undefined ? one.hash : sanitizeLine(one.name)));
  throw usageError(
    given === undefined ? 'Missing: --target' : `The sink has no target ${sanitizeLine(given)}`,
    known.length === 0
      ? 'No forwarder has served this sink yet.'
      : `Give one of its targets: ${joinWithAnd(known.toSorted())}.`,
  );
}

function checkRetirable(targets: readonly SinkTarget[], target: SinkTarget): void {
  const running = target.forwarders.filter(({ isRunning }) => isRunning);
  if (running.length > 0)
    throw usageError(
      `Not retired: ${nameOf(target)} is still served by ${joinWithAnd(running.map(({ pid, host }) => `process ${pid} on ${sanitizeLine(host)}`))}`,
      'End that forwarder first. One that was killed is taken for running for up to 90 s.',
    );
  // The first target of a sink gets everything that is stored, whether it was forwarded before or not.
  if (targets.length === 1)
    throw usageError(
      `Not retired: ${nameOf(target)} is the only target of the sink`,
      'Start a forwarder with another target first: it gets what still waits. Then retire this one.',
      'without any, the next target would get every delivery in the sink again',
    );
}

function describe(target: SinkTarget): string {
  const { waiting } = target;
  const never =
    waiting === 0
      ? 'Nothing waits for it.'
      : `${waiting === 1 ? '1 delivery waits' : `${waiting} deliveries wait`} for it, and will not be sent to it.`;
  return `Retire ${nameOf(target)}? ${never}`;
}

const nameOf = ({ name, hash }: SinkTarget) => (name === undefined ? `target ${hash}` : sanitizeLine(name));

/** One after another, so that an interruption leaves none unknown. */
async function removeConsumers(
  { world: { clock, process: processes } }: Pick<Context, 'world'>,
  nats: Pick<NatsConnection, 'removeConsumer'>,
  stream: string,
  target: SinkTarget,
): Promise<void> {
  let interruption: Interruption | undefined;
  const ignore = processes.onInterrupt((signal) => {
    interruption ??= signal;
  });
  try {
    for (const [at, consumer] of target.consumers.entries()) {
      if (interruption !== undefined)
        throw interruptedFailureWith(
          interruption,
          `${at} of the ${target.consumers.length} consumers of ${nameOf(target)} are removed`,
          'Run the same command again to remove the others, or start a forwarder that serves it: it continues where it was.',
        );
      const removed = await untilQuorum(clock, removeMs, () => nats.removeConsumer(stream, consumer));
      if (isFault(removed) && removed.fault !== 'not-found')
        throw new Error(removed.detail, { cause: removed });
    }
  } finally {
    ignore();
  }
}
