// Replays a delivery from the page, as `wm webhook replay` does and under the same lock.

import type { Context } from '#cli/context.ts';
import { errorMessage, toFailure } from '#failure.ts';
import type { DeliveryArchive } from '../archive/deliveries/delivery-archive.ts';
import type { LoggedDelivery } from '../archive/deliveries/logged-delivery.ts';
import type { Replay } from '../archive/deliveries/replays-file.ts';
import { chooseReplayTargets } from '../archive/replaying/choose-targets.ts';
import { type Replayed, sendToEach } from '../archive/replaying/replay-deliveries.ts';
import { namesTargets, type TargetFlags } from '../archive/replaying/target-flags.ts';
import type { StoredDelivery } from '../core/intake/delivery-journal.ts';
import { readEvents } from '../core/intake/read-events.ts';

/** Replays a delivery to each of its targets, and records that. Never rejects. */
export type SendAgain = (
  stored: StoredDelivery,
  delivery: LoggedDelivery,
  signal: AbortSignal,
) => Promise<{ readonly replays: readonly Replay[]; readonly problem?: string | undefined }>;

/** Sends to the targets of this process, or else to the last ones of the archive. Returns `undefined` without either. */
export async function createPageReplay(
  context: Context,
  { print: _, ...flags }: TargetFlags,
  { replays: store, lastTarget }: Pick<DeliveryArchive, 'replays' | 'lastTarget'>,
): Promise<SendAgain | undefined> {
  // The page also works where the last target cannot be read.
  const last = namesTargets(flags) ? {} : await lastTarget().catch(() => undefined);
  if (last === undefined || 'problem' in last) return undefined;
  const { choose: chooseTargets } = await chooseReplayTargets(context, last, flags);
  const { clock } = context.world;
  const sendAgain: SendAgain = async (stored, delivery, signal) => {
    const replays: Replay[] = [];
    const send = async (): Promise<string | undefined> => {
      const recorder = await store.open();
      const onReplayed = async ({ replay }: Replayed) => void replays.push(replay);
      const { outcome, unavailable, unrecorded } = await sendToEach(
        { clock, signal, chooseTargets, recorder, onReplayed },
        { stored, delivery, events: readEvents(stored.body) },
      ).finally(() => recorder.close());
      if (unrecorded)
        return `it was sent, but could not be recorded: ${toFailure(unrecorded.error).sentence}`;
      if (outcome === 'withoutTarget') return 'none of the targets takes its events';
      return (
        unavailable && `${unavailable.target} cannot be reached: ${unavailable.detail ?? unavailable.outcome}`
      );
    };
    const problem = await send().catch(errorMessage);
    return { replays, problem };
  };
  /** Replays run one at a time, because each takes the lock. */
  let sent: Promise<unknown> = Promise.resolve();
  return (...delivery) => {
    const sending = sent.then(() => sendAgain(...delivery));
    sent = sending;
    return sending;
  };
}
