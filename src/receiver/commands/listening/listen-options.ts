// Declares the options that the parts of `wm webhook listen` share.

import type { KnownTitles } from './known-titles.ts';

export const printTargetName = 'print';

export interface ViewOptions {
  readonly titles: KnownTitles;
  /** True with targets besides standard output. */
  readonly forwards: boolean;
  readonly hasSeveralTargets: boolean;
  /** Other processes forward the same deliveries, so this one may not learn the outcome. */
  readonly isShared: boolean;
  /** Called when the reader of the lines has gone, maybe more than once. */
  readonly onReaderGone: () => void;
}
