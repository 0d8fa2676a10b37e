// A refresh around which the processes are frozen, at several of its turns.

import { beforeEach } from 'node:test';
import { testFreezes } from './freezes.ts';
import { stageForAll } from './stage.ts';

const { service, stage } = await stageForAll();
beforeEach(() => stage.signInAnew());

testFreezes(service, stage, ['any turn'], [0, 0.3, 0.6, 0.9]);
