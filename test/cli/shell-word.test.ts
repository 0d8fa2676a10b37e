// A word of a printed command is what it was, once a shell has read it: shell-words.ts, with a few words of chance.

import { testShellWords } from './shell-words.ts';

testShellWords(0.05);
