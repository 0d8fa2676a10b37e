// No secret is in what a command prints, in a file but the token store, or in a process's arguments, with --verbose and
// WM_DEBUG, whatever fails: one failure of each kind. canaries.deep.test.ts tries them all.

import { testCanaries } from './canaries.ts';

const names = [
  'signing in: half an answer',
  'a broken token file',
  'signed in, renewed, used and signed out, with nothing amiss',
];
testCanaries((name) => names.includes(name));
