// No secret is in what a command prints, in a file but the token store, or in a process's arguments, with --verbose and
// WM_DEBUG, whatever fails.

import { testCanaries } from './canaries.ts';

testCanaries(() => true);
