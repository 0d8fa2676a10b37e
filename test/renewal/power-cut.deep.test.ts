// A refresh whose power is cut at any step of it, and again at any step of the next one.

import { cutsPower } from './power-cuts.ts';

cutsPower(true);
