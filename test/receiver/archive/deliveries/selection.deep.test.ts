// What `wm webhook log` selects: many journals and selections.

import { testSelection } from './any-selection.ts';

testSelection(12);
