// An input that changes after its rows were confirmed, in the ways that changed-input.test.ts leaves out.

import { quickChanges, testChanges } from './changed-input.ts';

testChanges((name) => !quickChanges.includes(name));
