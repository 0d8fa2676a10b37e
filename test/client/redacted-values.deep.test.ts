// Hundreds of random secrets in random values.

import { testAnySecret } from './any-secret.ts';

testAnySecret(500);
