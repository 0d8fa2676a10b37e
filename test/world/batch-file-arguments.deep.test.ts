// Thousands of random arguments of a batch file of Windows.

import { testBatchFileArguments } from './batch-file-arguments.ts';

testBatchFileArguments(5000);
