// Gives up a target of a sink: removes its consumers, so that deliveries no longer wait for it. Its position stays recorded, so that a
// forwarder that serves it again continues there.

import type { Context } from '#cli/context.ts';
import { countOf } from '#cli/count-of.ts';
import { interruptedFailureWith, untilInterrupted } from '#cli/interrupt.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import { usageError } from '#failure.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import type { SinkConnectionFlags, SinkUrl } from '../archive/storage-flags.ts';
import { targetName } from '../core/forwarding/target.ts';
import { readBacklog, removeConsumers, type SinkTarget } from './jetstream/sink-consumers.ts';
import { isFault, untilQuorum } from './jetstream/sink-faults.ts';
import { targetHash } from './jetstream/sink-layout.ts';
import { openSink } from './open-sink.ts';
import { sinkFailure } from './sink-failures.ts';
import { nameProcesses, readSinkForwarders, targetsOf } from './sink-forwarders.ts';

const readMs = 15_000;

export async function retireTarget(
  context: Context,
  url: SinkUrl,
  flags: SinkConnectionFlags & { readonly target?: string },
): Promise<void> {
  const sink = await openSink(context, url, flags, true);
  try {
    const target = await untilInterrupted(context, async () => {
      const backlog = await untilQuorum(sink, readMs, () => readBacklog(sink));
      if (isFault(backlog)) throw sinkFailure(backlog, url);
      const chosen = chooseTarget(backlog.targets, flags.target);
      const running = (await readSinkForwarders(sink)).filter(({ isRunning }) => isRunning);
      const serving = running.filter((forwarder) => targetsOf(forwarder).includes(chosen.name));
      if (serving.length > 0)
        throw usageError(
          `Not retired: ${nameOf(chosen)} is still served by ${nameProcesses(serving)}`,
          'End that forwarder first. After a kill, wm considers it running for up to 90 s.',
        );
      // The next target would be the sink's first, and get every stored delivery again.
      if (backlog.targets.length === 1)
        throw usageError(
          `Not retired: ${nameOf(chosen)} is the only target of the sink`,
          'Start a forwarder with another target first: it gets what still waits. Then retire this one.',
          'without any, the next target would get every delivery in the sink again',
        );
      return chosen;
    });
    const { waiting } = target;
    const effect =
      waiting === 0
        ? 'Nothing waits for it.'
        : `${countOf(waiting, 'delivery waits', 'deliveries wait')} for it, and will not be sent to it.`;
    await context.confirm(`Retire ${nameOf(target)}? ${effect}`);
    const fault = await untilInterrupted(
      context,
      () => removeConsumers(sink, target),
      (signal) =>
        interruptedFailureWith(
          signal,
          `some consumers of ${nameOf(target)} may be removed`,
          'Run the same command again to remove the others, or start a forwarder that serves it: it continues where it was.',
        ),
    );
    if (fault) throw sinkFailure(fault, url);
    await context.report.info(
      `Retired ${nameOf(target)}: no delivery waits for it any more. A forwarder that serves it again continues where it was.`,
    );
  } catch (error) {
    throw await sink.explain(error);
  } finally {
    await sink.nats.close();
  }
}

/** Finds the target by its URL, with or without the query, by the name of a command, or by its hash. */
function chooseTarget(targets: readonly SinkTarget[], requested: string | undefined): SinkTarget {
  const names =
    requested === undefined ? [] : [requested, ...(URL.canParse(requested) ? [targetName(requested)] : [])];
  const match = targets.find(
    ({ hash }) => hash === requested || names.some((name) => targetHash(name) === hash),
  );
  if (match) return match;
  throw usageError(
    requested === undefined ? 'Missing: --target' : `The sink has no target ${sanitizeLine(requested)}`,
    targets.length === 0
      ? 'No forwarder has served this sink yet.'
      : `Give one of its targets: ${joinWithAnd(targets.map(nameOf).toSorted())}.`,
  );
}

const nameOf = ({ name, hash }: SinkTarget) => (name === '' ? `target ${hash}` : sanitizeLine(name));
