// CSV is read as it was written: many runs of the property.

import { testCsvInput } from './csv-input.ts';

testCsvInput(100);
