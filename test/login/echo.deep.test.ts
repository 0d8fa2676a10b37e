// Signing in and refreshing, with a real helper process, at a service that echoes what it was sent in every kind of response.

import { startWm } from '../system/keychain-session.ts';
import { testEchoes } from './echo.ts';

testEchoes(
  () => true,
  (folder) =>
    startWm(
      ['whoami', '--verbose', '--timeout', '2'],
      {
        PATH: process.env['PATH'] ?? '',
        WM_CONFIG_DIR: folder,
        WM_TOKEN_STORE: 'file',
        WM_DEBUG: '1',
      },
      { input: '' },
    ).ended,
);
