// The file of --errors: in the form of the input, whatever its cells hold and however long its rows are, with the line and
// the reason in columns of their own; and it can be sent again, fixed or not.

import { testErrorsFile } from './errors-file.ts';

testErrorsFile(8);
