// Describes who forwards the deliveries of a sink, for `webhook log --stuck`.

import { joinWithAnd } from '../../../contract/format-list.ts';
import { sanitizeLine } from '../../../terminal/sanitize.ts';
import type { Context } from '../../context.ts';
import { formatCommandWith } from '../../format-command.ts';
import { isoTime } from '../deliveries/delivery-columns.ts';
import { type PlaceFlags, placeFlagsOf } from '../deliveries/place-flags.ts';
import { formatTargetFlags, unknownTargetFlags } from '../deliveries/target-flags.ts';
import { lastTargetOf } from './last-sink-target.ts';
import { currentForwarders, type SinkForwarder } from './sink-forwarders.ts';

const mostNamed = 5;

export function describeForwarders(
  context: Pick<Context, 'world' | 'common'>,
  flags: PlaceFlags,
  all: readonly SinkForwarder[],
): string {
  const current = currentForwarders(all);
  const running = current.filter(({ isRunning }) => isRunning);
  if (running.length > 0)
    return `What waits is forwarded, in order, as soon as its target accepts it, by ${named(running)}.`;
  const [last] = current;
  const command = formatCommandWith(
    context,
    'webhook forward',
    [],
    ...flagsOf(context, last),
    ...placeFlagsOf(context, flags),
  );
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

/** Its target flags, as far as they are recorded. */
function flagsOf(
  context: Pick<Context, 'world' | 'common'>,
  last: SinkForwarder | undefined,
): readonly string[] {
  const known = last && lastTargetOf(last);
  if (known === undefined || 'problem' in known) return unknownTargetFlags;
  return formatTargetFlags(context, { forwardTo: known.forwardTo, route: known.routes });
}
