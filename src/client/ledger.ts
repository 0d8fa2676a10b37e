// What became of the changes that a session has sent, so that whoever interrupts it can be told.

import { nameOf } from './ending.ts';
import type { WireRequest } from './request.ts';

export interface Changes {
  /** Answered with what the service then had. */
  readonly made: readonly string[];
  /** Sent, and made or not: no response tells, or none has come yet. */
  readonly unknown: readonly string[];
}

/** Of a session that sends one request after the other. */
export interface Ledger {
  sending(request: WireRequest): void;
  /** What was being sent has surely changed nothing so far. */
  notYet(): void;
  made(request: WireRequest): void;
  unknown(request: WireRequest): void;
  /** Each without its query: `PUT /tasks/IEAAA`. */
  changes(): Changes;
}

export function createLedger(): Ledger {
  let pending: WireRequest | undefined;
  const made: string[] = [];
  const unknown: string[] = [];
  return {
    sending(request) {
      pending = request;
    },
    notYet() {
      pending = undefined;
    },
    made(request) {
      pending = undefined;
      made.push(nameOf(request));
    },
    unknown(request) {
      pending = undefined;
      unknown.push(nameOf(request));
    },
    changes: () => ({ made, unknown: pending ? [...unknown, nameOf(pending)] : unknown }),
  };
}
