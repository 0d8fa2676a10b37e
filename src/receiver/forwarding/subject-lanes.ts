// The lanes of a delivery: what its events are about. Of two deliveries with a lane in common, the older one goes first.

import type { DeliveredEvents } from '../intake/read-events.ts';

/** Deliveries without a known subject, or with too many events, share one lane, and so keep their order too. */
const noSubject = '';

/** Each once, at least one. */
export function lanesOf({ events, count }: DeliveredEvents): readonly string[] {
  if (count > events.length) return [noSubject];
  const subjects = events.flatMap(({ subjectId }) => (subjectId === undefined ? [] : [subjectId]));
  return subjects.length === 0 ? [noSubject] : [...new Set(subjects)];
}
