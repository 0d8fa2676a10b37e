// Which changes of a session were made and which have an unknown outcome, for the message of an interrupted command.

import type { WireRequest } from './request.ts';
import { requestName } from './request-failure.ts';

type RequestLine = Pick<WireRequest, 'method' | 'target'>;

export interface SentChanges {
  /** A response confirmed these. */
  readonly made: readonly string[];
  /** Sent without a response so far, or with one that does not say whether the change was made. */
  readonly unknown: readonly string[];
}

/** For a session that sends one request after the other. */
export interface ChangeTracker {
  onSend(request: RequestLine): void;
  /** The request that was being sent has changed nothing. */
  onUnchanged(): void;
  onSuccess(request: RequestLine): void;
  onUnknown(request: RequestLine): void;
  /** Method and path of each request: `PUT /tasks/IEAAA`. */
  changes(): SentChanges;
}

/** Creates a tracker for one session. */
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
