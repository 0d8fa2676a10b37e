// The process of one keychain request, where it is given none: it says so and ends, and touches no keychain.

import { noRequests, testNoRequests } from './keychain-process.ts';

testNoRequests(noRequests.filter((line) => line === 'null' || line.includes('"secret":5')));
