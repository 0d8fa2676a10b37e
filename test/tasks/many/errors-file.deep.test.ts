// The file of --errors: many runs of its property.

import { testErrorsFile } from './errors-file.ts';

testErrorsFile(100);
