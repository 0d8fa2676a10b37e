// The lock between many processes at once: never two holders, even where its file is deleted.

import { fileURLToPath } from 'node:url';
import { isCounting, testCounting } from './lock-counting.ts';

if (!(await isCounting()))
  testCounting(fileURLToPath(import.meta.url), 'eight', ['count', 'count-and-delete']);
