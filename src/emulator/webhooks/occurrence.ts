// Something that happened in an account, before anybody asks who wants to hear of it: the event, its author, what it is
// about, and the fields its payload carries beside the common ones.

import type { EventName } from '../../contract/event.ts';
import type { Folder, StoredTask } from '../state/store.ts';

export interface Occurrence {
  /** The same on every delivery of it, to whichever webhook. */
  readonly id: string;
  readonly event: EventName;
  readonly accountId: string;
  readonly authorId: string;
  /** A timestamp. */
  readonly date: string;
  /** What the payload's id field holds. */
  readonly subjectId: string;
  readonly payload: Readonly<Record<string, unknown>>;
  /** What it is about, as it is now. */
  readonly task?: StoredTask;
  readonly folder?: Folder;
  /** The folders that it happened in directly. */
  readonly placeIds: readonly string[];
}
