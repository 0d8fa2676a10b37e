// The environment of a program that runs against the emulator, without any of the user's own accounts.

import type { Environment } from '#world/world.ts';
import type { RunningEmulator } from '../emulator.ts';

const loopback = '127.0.0.1,localhost,::1';

/** `own` less every WM_ variable, with the emulator's in their place and a throw-away config folder. */
export function emulatorEnvironment(
  own: Environment,
  emulator: RunningEmulator,
  configFolder: string,
  trusting: Environment = {},
): Environment {
  const rest = Object.fromEntries(Object.entries(own).filter(([name]) => !name.startsWith('WM_')));
  const noProxy = [own['NO_PROXY'] ?? own['no_proxy'], loopback].filter(Boolean).join(',');
  return {
    ...rest,
    ...trusting,
    NO_PROXY: noProxy,
    no_proxy: noProxy,
    WM_AUTH_URL: emulator.authUrl,
    WM_HOST: emulator.host,
    WM_TOKEN: emulator.token,
    WM_CLIENT_ID: emulator.clientId,
    WM_CLIENT_SECRET: emulator.clientSecret,
    WM_CONFIG_DIR: configFolder,
    WM_TOKEN_STORE: 'file',
    WM_EMULATOR_URL: new URL(emulator.baseUrl).origin,
  };
}
