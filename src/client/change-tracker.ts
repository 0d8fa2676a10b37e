// Tracks which changes of a session were made, and which have an unknown outcome, for the message of an interrupted command.

import type { WireRequest } from './request.ts';

export type RequestLine = Pick<WireRequest, 'method' | 'target'>;

/** Names a request in a message: `PUT /tasks/IEAAA`, without its query, which contains what the user typed. */
export function requestName({ method, target }: RequestLine): string {
  return `${method} ${target.split('?')[0]}`;
}

/** Method and path of each request: `PUT /tasks/IEAAA`. */
export interface SentChanges {
  /** Changes that a response confirmed. */
  readonly made: readonly string[];
  /** Sent, but without a response that says whether the change was made. */
  readonly unknown: readonly string[];
}

export type ChangeTracker = ReturnType<typeof createChangeTracker>;

/** Tracks a session that sends one request at a time. */
export function createChangeTracker() {
  let pending: RequestLine | undefined;
  const made: string[] = [];
  const unknown: string[] = [];
  return {
    onSend(request: RequestLine): void {
      pending = request;
    },
    /** The current request has changed nothing. */
    onUnchanged(): void {
      pending = undefined;
    },
    onSuccess(request: RequestLine): void {
      pending = undefined;
      made.push(requestName(request));
    },
    onUnknown(request: RequestLine): void {
      pending = undefined;
      unknown.push(requestName(request));
    },
    changes: (): SentChanges => ({ made, unknown: pending ? [...unknown, requestName(pending)] : unknown }),
  };
}
