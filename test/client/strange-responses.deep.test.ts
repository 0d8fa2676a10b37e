// Every command meets every strange response, before its effect and after it, and every operation of the contract some: no success is
// said that is none, and no "nothing was changed" with it.

import { after } from 'node:test';
import { testStrange } from './test-strange.ts';

await testStrange({ after }, () => true);
