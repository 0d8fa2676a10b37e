// The steps of the recipes without which the compiler fails. In a file of its own, so that two cores share the recipes.

import { after } from 'node:test';
import { copyProject } from './copy.ts';
import { testWithoutEachStep } from './one-step-short.ts';

const copy = await copyProject();
after(() => copy.remove());

testWithoutEachStep(copy, (check) => check === 'types');
