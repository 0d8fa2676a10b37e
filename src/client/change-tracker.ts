// What became of the changes that a session has sent, so that whoever interrupts it can be told.

import type { WireRequest } from './request.ts';
import { requestName } from './request-failure.ts';

export interface SentChanges {
  /** Answered with what the service then had. */
  readonly made: readonly string[];
  /** Sent, and made or not: no response tells, or none has come yet. */
  readonly unknown: readonly string[];
}

/** Of a session that sends one request after the other. */
export interface ChangeTracker {
  onSend(request: WireRequest): void;
  /** What was being sent has surely changed nothing so far. */
  onUnchanged(): void;
  onSuccess(request: WireRequest): void;
  onUnknown(request: WireRequest): void;
  /** Each without its query: `PUT /tasks/IEAAA`. */
  changes(): SentChanges;
}

export function createChangeTracker(): ChangeTracker {
  let pending: WireRequest | undefined;
  const made: string[] = [];
  const unknown: string[] = [];
  return {
    onSend(request) {
      pending = request;
    },
    onUnchanged() {
      pending = undefined;
    },
    onSuccess(request) {
      pending = undefined;
      made.push(requestName(request));
    },
    onUnknown(request) {
      pending = undefined;
      unknown.push(requestName(request));
    },
    changes: () => ({ made, unknown: pending ? [...unknown, requestName(pending)] : unknown }),
  };
}
