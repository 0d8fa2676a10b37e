// Targets of a sink that no forwarder serves any more: their consumers still count what waits for them, so no delivery is finished
// until they are retired.

import { sanitizeLine } from '../../../terminal/sanitize.ts';
import type { NatsConsumer } from '../../../world/world.ts';
import { formatCommandWith } from '../../format-command.ts';
import { quoteForShell } from '../../shell-quote.ts';
import { type SinkConnectionFlags, sinkConnectionFlagsOf } from '../listen/sink-flags.ts';
import { currentForwarders, type SinkForwarder } from './sink-forwarders.ts';
import { findSinkTargets } from './sink-targets.ts';

/** `consumers`: those of all targets. Nothing if nobody has forwarded yet. */
export function describeAbandoned(
  context: Parameters<typeof formatCommandWith>[0],
  { sink, flags }: { readonly sink: string; readonly flags: SinkConnectionFlags },
  consumers: readonly Pick<NatsConsumer, 'name' | 'unacknowledged'>[],
  all: readonly SinkForwarder[],
): readonly string[] {
  const current = new Set(currentForwarders(all));
  if (current.size === 0) return [];
  const { platform } = context.world.process;
  return findSinkTargets(consumers, all).flatMap(({ hash, name, waiting, forwarders }) => {
    if (waiting === 0 || forwarders.some((one) => current.has(one))) return [];
    const deliveries = waiting === 1 ? '1 delivery waits' : `${waiting} deliveries wait`;
    const shown = name === undefined ? undefined : sanitizeLine(name);
    const retire = formatCommandWith(
      context,
      'webhook sink',
      ['retire', sink],
      '--target',
      name !== undefined && shown === name ? quoteForShell(name, platform) : hash,
      ...sinkConnectionFlagsOf(context, flags),
    );
    return [
      `${deliveries} for ${shown ?? 'an earlier target'}, which no forwarder serves any more. Start one that does, or give that target up: ${retire}`,
    ];
  });
}
