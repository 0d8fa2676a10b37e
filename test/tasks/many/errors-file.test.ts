// The file of --errors: a few runs of its property. test/transcript/task-{rows,spreadsheet,resume}.txt show such files.

import { testErrorsFile } from './errors-file.ts';

testErrorsFile(8);
