// Every command that sends with a token, at a service that echoes what it was sent in every kind of response, with and without
// --verbose and --json.

import { testEchoes } from './echo.ts';

testEchoes((_, kinds) => kinds.map((kind) => [kind, [[], ['--verbose', '--json'], ['--verbose']]] as const));
