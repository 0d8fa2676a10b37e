// What the receiver reports while it runs: the terminal, the page and the metrics all show it.

import type { Attempt, Duplicate, Rejection } from './delivery-journal.ts';
import type { StoredDelivery } from './stored-delivery.ts';

export type Activity =
  /** The delivery is on the disk, and the sender has its 200. */
  | { readonly kind: 'stored'; readonly delivery: StoredDelivery; readonly milliseconds: number }
  | { readonly kind: 'handshake'; readonly time: number }
  /** Its `detail` is longer than in the journal. */
  | (Attempt & { readonly delivery: StoredDelivery })
  | Duplicate
  /** `from`: the address that may not send, or the foreign Host. */
  | (Rejection & { readonly from?: string })
  /** Deliveries cannot be stored; `undefined`: they can be again. */
  | { readonly kind: 'storage'; readonly fault: string | undefined }
  /** Deliveries cannot be forwarded to any target; `undefined`: they can be again. */
  | { readonly kind: 'sink'; readonly fault: string | undefined }
  /** A target cannot be reached; `undefined`: it can be again. */
  | { readonly kind: 'target'; readonly target: string; readonly fault: string | undefined };

/** Must return quickly and never throw. `isSample`: rejected as the forgery of a verification. */
export type OnActivity = (activity: Activity, isSample?: boolean) => void;
