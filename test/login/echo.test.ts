// Nothing secret is shown or filed where the token endpoint, or the first request with a fresh token, echoes what it was
// sent: signing in by the browser and in two steps, with a permanent token, converting, and refreshing. Some kinds of response
// each; echo.deep.test.ts tries them all.

import { inside } from '../renewal/inside.ts';
import { testEchoes } from './echo.ts';

testEchoes(
  (signIn, kind) => (3 * signIn + kind) % 6 === 0,
  (folder) => inside({ folder }).wm('whoami', '--verbose', '--timeout', '2'),
);
