// What stops a forwarder although its targets respond: consumers or streams that are gone or full, no quorum. Each reason is reported
// once per outage.

import type { Clock, NatsFault } from '../../world/world.ts';

export interface SinkTrouble {
  /** After each request. `subject`: what it was for. */
  note(subject: string, fault: NatsFault | undefined): void;
}

export interface TroubleOptions {
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly describe: (fault: NatsFault) => string;
  /** `undefined`: it is over. */
  readonly onFault: (fault: string | undefined) => void;
}

/** Within this time the servers elect a leader, or the connection is back. */
const passingMs = 8_000;
const lasting: readonly NatsFault['fault'][] = ['not-found', 'full', 'not-allowed', 'conflict'];

export function createSinkTrouble({ clock, describe, onFault }: TroubleOptions): SinkTrouble {
  const since = new Map<string, number>();
  /** In this outage. */
  const reported = new Set<string>();
  return {
    note(subject, fault) {
      if (fault === undefined) {
        if (!since.delete(subject) || since.size > 0 || reported.size === 0) return;
        reported.clear();
        onFault(undefined);
        return;
      }
      const now = clock.monotonic();
      const first = since.get(subject) ?? now;
      since.set(subject, first);
      const lasts = lasting.includes(fault.fault);
      if (!lasts && (reported.size > 0 || now - first < passingMs)) return;
      const text = describeLasting(subject, fault) ?? describe(fault);
      if (reported.has(text)) return;
      reported.add(text);
      onFault(text);
    },
  };
}

function describeLasting(subject: string, { fault, detail }: NatsFault): string | undefined {
  if (fault === 'not-found') return `${subject} is gone`;
  return fault === 'conflict' ? detail : undefined;
}
