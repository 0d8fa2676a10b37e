// The flags of `wm login`: where to sign in, as which application, and how the callback comes back.

import { scopeList } from '../../contract/authorization.ts';
import type { Schema } from '../../contract/schema.ts';
import { parseHost } from '../../login/host.ts';
import { booleanFlag, integerFlag, listFlag, type ParsedFlags, textFlag, valueFlag } from '../flag.ts';
import { storeFlag } from './choose-store.ts';
import { forceFlag } from './token-precedence.ts';

const hosts: Schema<readonly string[]> = {
  type: 'host[]',
  wireFormat: 'text',
  validate: (input) =>
    Array.isArray(input) ? input.map((one) => parseHost(String(one), '--allow-host')) : [],
  fromWire: (text) => [parseHost(text, '--allow-host')],
  toWire: (all) => all.join(','),
};

export const loginFlags = {
  authUrl: textFlag('URL', 'Where to sign in (or WM_AUTH_URL)'),
  clientId: textFlag('ID', 'The application, from the service’s console (or WM_CLIENT_ID)'),
  scope: valueFlag(scopeList, 'SCOPE,...', 'What to ask for; the default scope without it'),
  redirectUri: textFlag('URL', 'The callback address registered with the application'),
  port: integerFlag(
    'PORT',
    'The port of the loopback callback (or WM_CALLBACK_PORT); any free one without it',
    0,
    65_535,
  ),
  callbackHost: textFlag(
    'ADDRESS',
    'The numeric address to listen at for the callback, as 0.0.0.0 in a container; needs --port',
  ),
  start: booleanFlag('Only print the address of the consent page; --complete does the rest'),
  complete: booleanFlag('Finish what --start began: reads the address you landed on from standard input'),
  browser: booleanFlag('Open the browser; --no-browser only prints the address', { negatable: true }),
  withToken: booleanFlag('Read a permanent token from standard input; needs --host'),
  host: textFlag('HOST', 'The host that a permanent token is for (or WM_HOST)'),
  store: storeFlag,
  force: forceFlag,
  allowHost: listFlag(hosts, 'HOST', 'A host, or the end of one, that the sign-in may lead to'),
} as const;

export type LoginFlags = ParsedFlags<typeof loginFlags>;
