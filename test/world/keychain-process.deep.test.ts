// The process of one keychain request, where it is given none in any way.

import { noRequests, testNoRequests } from './keychain-process.ts';

testNoRequests(noRequests);
