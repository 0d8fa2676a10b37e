// When something of the undo log happened, as two clocks had it: the time of day, which is for people and which anybody may
// set, and the time since the machine started, which orders what happened while it ran.

import type { World } from '../../../world/world.ts';

export interface Moment {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds since the machine started, the same for all its processes. An older version has not logged it. */
  readonly uptime?: number;
}

export function momentNow({ clock }: Pick<World, 'clock'>): Moment {
  return { at: clock.now(), uptime: Math.round(clock.monotonic() * 1000) / 1000 };
}

/** Whether one is later than the other. Both are of the same start of the machine. */
export function isSince(one: Moment, other: Moment): boolean {
  return one.uptime === undefined || other.uptime === undefined
    ? one.at > other.at
    : one.uptime > other.uptime;
}

export function isSameMoment(one: Moment, other: Moment): boolean {
  if (one.at !== other.at) return false;
  return one.uptime === undefined || other.uptime === undefined || one.uptime === other.uptime;
}
