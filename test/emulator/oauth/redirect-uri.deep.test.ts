// An accepted redirect_uri leads to this machine for every parser: many runs of the property.

import { testAnyRedirectUri } from './any-redirect-uri.ts';

testAnyRedirectUri(1_500);
