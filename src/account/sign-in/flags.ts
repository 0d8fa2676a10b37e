// The flags of `wm login`: where to sign in, as which application, and how the callback URL comes back.

import {
  booleanFlag,
  integerFlag,
  listFlag,
  type ParsedFlags,
  textFlag,
  valueFlag,
} from '#cli/flags/flag.ts';
import { clientId, hostList } from '#cli/settings/setting-schemas.ts';
import { scopeList } from '#contract/authorization.ts';
import { storeFlag } from './choose-store.ts';
import { forceFlag } from './token-precedence.ts';

export const loginFlags = {
  authUrl: textFlag('URL', 'The address to sign in at (or WM_AUTH_URL)'),
  clientId: valueFlag(clientId, 'ID', "The client id from the service's console (or WM_CLIENT_ID)"),
  scope: valueFlag(scopeList, 'SCOPE,...', 'Request these scopes (default: Default)'),
  redirectUri: textFlag('URL', 'The callback URL that the application has registered'),
  port: integerFlag(
    'PORT',
    'The port of the loopback callback (or WM_CALLBACK_PORT; default: a free port)',
    0,
    65_535,
  ),
  callbackHost: textFlag(
    'ADDRESS',
    'Listen for the callback on this IP address, such as 0.0.0.0 in a container; needs --port',
  ),
  start: booleanFlag('Print the address of the consent page and exit; finish with --complete'),
  complete: booleanFlag(
    'Finish a sign-in begun with --start: read the address you landed on from standard input',
  ),
  browser: booleanFlag('Open the browser; with --no-browser, only print the address', { negatable: true }),
  withToken: booleanFlag('Read a permanent token from standard input; needs --host'),
  host: textFlag('HOST', 'The host of a permanent token (or WM_HOST)'),
  store: storeFlag,
  force: forceFlag,
  allowHost: listFlag(
    hostList('--allow-host'),
    'HOST',
    'Allow the token to be for this host or its subdomains',
  ),
} as const;

export type LoginFlags = ParsedFlags<typeof loginFlags>;
