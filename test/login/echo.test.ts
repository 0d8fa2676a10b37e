// Nothing secret is shown or filed where the token endpoint, or the first request with a fresh token, echoes what it was
// sent: signing in by the browser and in two steps, with a permanent token, converting, and refreshing. Each kind of response comes
// to one of them; echo.deep.test.ts tries them all.

import { inside } from '../renewal/inside.ts';
import { testEchoes } from './echo.ts';

testEchoes(
  // For the 8 sign-ins with 2 lists of flags each, 3 * signIn + 8 * flags is each number below 16 once.
  (signIn, kind, flags) => (3 * signIn + 8 * flags + kind) % 16 === 0,
  (folder) => inside({ folder }).wm('whoami', '--verbose', '--timeout', '2'),
);
