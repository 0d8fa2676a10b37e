// What the parts of `wm webhook listen` need to know about each other.

import type { KnownTitles } from './known-titles.ts';

export const printTargetName = 'print';

export interface ViewOptions {
  readonly titles: KnownTitles;
  /** There are targets besides standard output. */
  readonly forwards: boolean;
  readonly hasSeveralTargets: boolean;
  /** Other processes forward the same deliveries: what becomes of one may never be heard of here. */
  readonly isShared: boolean;
  /** Nobody reads the lines any more. May be called more than once. */
  readonly onReaderGone: () => void;
}
