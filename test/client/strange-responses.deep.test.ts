// Every operation of the contract meets every strange response, before its effect and after it: no success is said that is none, and
// no "nothing was changed" with it.

import { after } from 'node:test';
import { testStrange } from './test-strange.ts';

await testStrange({ after }, () => true);
