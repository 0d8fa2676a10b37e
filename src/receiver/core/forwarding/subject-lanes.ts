// Names the lanes of a delivery: the subjects of its events. If two deliveries share a lane, the older one goes first.

import type { DeliveredEvents } from '../intake/read-events.ts';

/** The lane that deliveries without a known subject, or with too many events, share to keep their order. */
const noSubject = '';

/** Returns at least one lane, each once. */
export function lanesOf({ events, count }: DeliveredEvents): readonly string[] {
  if (count > events.length) return [noSubject];
  const subjects = events.flatMap(({ subjectId }) => (subjectId === undefined ? [] : [subjectId]));
  return subjects.length === 0 ? [noSubject] : [...new Set(subjects)];
}
