// When something happened, by two clocks: the time of day, which anybody can change, and the time since the machine
// started, which orders events while it runs.

import type { World } from '../../../world/world.ts';

export interface Moment {
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Milliseconds since the machine started, the same for all processes. An older version did not log it. */
  readonly uptime?: number;
}

export function momentNow({ clock }: Pick<World, 'clock'>): Moment {
  return { at: clock.now(), uptime: Math.round(clock.monotonic() * 1000) / 1000 };
}

/** True if `one` is later. Both are from the same start of the machine. */
export function isSince(one: Moment, other: Moment): boolean {
  return one.uptime === undefined || other.uptime === undefined
    ? one.at > other.at
    : one.uptime > other.uptime;
}

export function isSameMoment(one: Moment, other: Moment): boolean {
  if (one.at !== other.at) return false;
  return one.uptime === undefined || other.uptime === undefined || one.uptime === other.uptime;
}
