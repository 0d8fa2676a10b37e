// What is true of shortened titles, whatever they are. Many runs; the quick suite has a few.

import { testShortening } from './shorten-properties.ts';

testShortening(2000);
