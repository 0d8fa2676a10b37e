// Long texts of any pattern.

import { testReadOnce } from './html-patterns.ts';

testReadOnce(50_000);
