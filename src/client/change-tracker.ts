// Tracks which changes of a session were made, and which have an unknown outcome, for the message of an interrupted command.

import type { WireRequest } from './request.ts';
import { requestName } from './request-failure.ts';

type RequestLine = Pick<WireRequest, 'method' | 'target'>;

export interface SentChanges {
  /** Changes that a response confirmed. */
  readonly made: readonly string[];
  /** Sent, but without a response that says whether the change was made. */
  readonly unknown: readonly string[];
}

/** Tracks a session that sends one request at a time. */
export interface ChangeTracker {
  onSend(request: RequestLine): void;
  /** The current request has changed nothing. */
  onUnchanged(): void;
  onSuccess(request: RequestLine): void;
  onUnknown(request: RequestLine): void;
  /** Method and path of each request: `PUT /tasks/IEAAA`. */
  changes(): SentChanges;
}

export function createChangeTracker(): ChangeTracker {
  let pending: RequestLine | undefined;
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
