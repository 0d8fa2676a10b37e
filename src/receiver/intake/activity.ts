// What the receiver reports while it runs: the terminal, the page and the metrics all show it.

import type { Attempt, Duplicate, Rejection } from './delivery-journal.ts';
import type { StoredDelivery } from './stored-delivery.ts';

export type Activity =
  /** It is on the disk, and the sender has its 200. */
  | { readonly kind: 'stored'; readonly delivery: StoredDelivery; readonly milliseconds: number }
  | { readonly kind: 'handshake'; readonly time: number }
  /** `delay`: until the next attempt, in milliseconds. */
  | (Attempt & { readonly delivery: StoredDelivery; readonly detail?: string; readonly delay?: number })
  | Duplicate
  | Rejection
  /** Deliveries cannot be stored; with `undefined`, they can be again. */
  | { readonly kind: 'storage'; readonly fault: string | undefined }
  /** Nothing can be forwarded, to whatever target; with `undefined`, it can be again. */
  | { readonly kind: 'sink'; readonly fault: string | undefined }
  /** A target cannot be reached; with `undefined`, it can be again. */
  | { readonly kind: 'target'; readonly target: string; readonly fault: string | undefined };

/** Must return quickly, and never throw. */
export type OnActivity = (activity: Activity) => void;
