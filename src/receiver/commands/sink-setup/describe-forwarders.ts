// Describes who forwards the deliveries of a sink, and which of its targets are left to nobody, for `webhook log --stuck`.

import type { Context } from '#cli/context.ts';
import { formatCommandWith } from '#cli/format-command.ts';
import { joinWithAnd } from '#contract/format-list.ts';
import type { SinkTarget } from '#receiver/sink/sink-consumers.ts';
import { sanitizeLine } from '#terminal/sanitize.ts';
import { isoTime } from '../deliveries/delivery-columns.ts';
import { type PlaceFlags, placeFlagsOf } from '../deliveries/place-flags.ts';
import { formatTargetFlags, unknownTargetFlags } from '../deliveries/target-flags.ts';
import { sinkConnectionFlagsOf } from '../listening/sink-flags.ts';
import { lastTargetOf } from './last-sink-target.ts';
import { currentForwarders, type SinkForwarder, targetsOf } from './sink-forwarders.ts';

type Parts = Pick<Context, 'world' | 'common'>;

const mostNamed = 5;

export function describeForwarders(context: Parts, flags: PlaceFlags, all: readonly SinkForwarder[]): string {
  const current = currentForwarders(all);
  const running = current.filter(({ isRunning }) => isRunning);
  if (running.length > 0)
    return `What waits is forwarded, in order, as soon as its target accepts it, by ${named(running)}.`;
  const [last] = current;
  const known = last && lastTargetOf(last);
  const targetFlags =
    known === undefined || 'problem' in known
      ? unknownTargetFlags
      : formatTargetFlags({ forwardTo: known.forwardTo, route: known.routes });
  const command = formatCommandWith(context, 'webhook forward', [], ...targetFlags, ...placeFlagsOf(flags));
  const heard = last
    ? `: ${named([last])} ${last.hasEnded ? 'ended' : 'was last heard of'} at ${isoTime(last.heardAt)}`
    : '';
  return `No forwarder of this sink runs${heard}. What waits is forwarded once one does: ${command}`;
}

function named(all: readonly SinkForwarder[]): string {
  const names = all.map(({ pid, host }) => `process ${pid} on ${sanitizeLine(host)}`);
  const more = names.length - mostNamed;
  return more > 0 ? `${names.slice(0, mostNamed).join(', ')} and ${more} more` : joinWithAnd(names);
}

/** Targets that something waits for, and that no forwarder serves any more. Nothing if nobody has forwarded yet. */
export function describeAbandoned(
  context: Parts,
  { sink, flags }: { readonly sink: string; readonly flags: PlaceFlags },
  targets: readonly SinkTarget[],
  all: readonly SinkForwarder[],
): readonly string[] {
  const current = currentForwarders(all);
  const served = new Set(current.flatMap(targetsOf));
  return targets.flatMap(({ hash, name, waiting }) => {
    if (current.length === 0 || waiting === 0 || served.has(name)) return [];
    const shown = sanitizeLine(name);
    const retire = formatCommandWith(
      context,
      'webhook sink',
      ['retire', sink],
      '--target',
      shown !== '' && shown === name ? name : hash,
      ...sinkConnectionFlagsOf(flags),
    );
    return [
      `${waiting === 1 ? '1 delivery waits' : `${waiting} deliveries wait`} for ${shown || 'an earlier target'}, which no forwarder serves any more. Start one that does, or give that target up: ${retire}`,
    ];
  });
}
