// The log of requests holds no secret: many runs of the property.

import { testSecretsInLog } from './echoed-secret.ts';

testSecretsInLog(150);
