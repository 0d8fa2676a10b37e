// A file that is written again and again, and its writer killed, many times.

import { fileURLToPath } from 'node:url';
import { isWriter, testWholeFiles } from './endless-writer.ts';

if (!(await isWriter())) testWholeFiles(fileURLToPath(import.meta.url), 5);
