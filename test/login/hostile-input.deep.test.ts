// Every hostile host in WM_HOST and in what a token endpoint returns, many of them in a sign-in, and thousands of names of profiles.

import { personForEach, serviceForAll } from '#test/support/sign-in/stage.ts';
import { testHostileSignIn, testHostVariable, testProfileNames } from './hostile-input.ts';
import { testHostsOfTokens } from './hosts-of-tokens.ts';

const service = await serviceForAll();
const person = personForEach();

testHostVariable(1);
testHostileSignIn(service, person, 12);
testProfileNames(2000);
testHostsOfTokens(1);
