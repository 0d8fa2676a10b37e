// The settings, one row each, for `wm config`, its help, the checks of a file, docs/config-file.md and `wm doctor`.

import { boolean, type Schema, type TypeOf } from '#contract/schema.ts';
import {
  authorizationUrl,
  callbackPort,
  clientId,
  hostList,
  profileName,
  storeKind,
  timeoutSeconds,
} from './setting-schemas.ts';

interface SettingRow {
  readonly schema: Schema<unknown>;
  /** The value's name in help. */
  readonly placeholder: string;
  /** A fragment without a full stop. */
  readonly help: string;
  /** The default as text; absent if there is none. */
  readonly default?: string;
  /** The flag that takes precedence: a common one with the name of the setting, or one of `wm login`. */
  readonly flag?: string;
  /** The variables that take precedence, each with the value that it stands for, if that is not its text. */
  readonly variables?: readonly (readonly [name: string, value?: string])[];
  /** `never`: a stranger's folder must not decide where a token goes. `only true`: it may set a guard, but not lift it. */
  readonly inFolder: 'allowed' | 'never' | 'only true';
  /** False if it cannot be a setting of the user or of a profile. */
  readonly inUserFile?: false;
  /** Stored with the profile's sign-in instead of a settings file. */
  readonly ofProfile?: 'in its sign-in';
}

export const settings = {
  profile: {
    schema: profileName,
    placeholder: 'NAME',
    help: 'The profile to use in a folder and below (default: that of wm auth switch)',
    flag: '--profile',
    variables: [['WM_PROFILE']],
    inFolder: 'allowed',
    inUserFile: false,
  },
  'auth-url': {
    schema: authorizationUrl,
    placeholder: 'URL',
    help: 'The address to sign in at',
    flag: '--auth-url',
    variables: [['WM_AUTH_URL']],
    inFolder: 'never',
  },
  'host-suffixes': {
    schema: hostList('host-suffixes'),
    placeholder: 'HOST,...',
    help: 'The hosts, with their subdomains, that a sign-in at auth-url may lead to (default: its domain)',
    flag: '--allow-host',
    inFolder: 'never',
  },
  'client-id': {
    schema: clientId,
    placeholder: 'ID',
    help: 'The client id of the application at auth-url',
    flag: '--client-id',
    variables: [['WM_CLIENT_ID']],
    inFolder: 'never',
  },
  'token-store': {
    schema: storeKind('token-store'),
    placeholder: 'STORE',
    help: 'Where a new sign-in stores its tokens: keychain or file (plain text)',
    default: 'keychain',
    flag: '--store',
    variables: [['WM_TOKEN_STORE']],
    inFolder: 'never',
  },
  'callback-port': {
    schema: callbackPort,
    placeholder: 'PORT',
    help: 'The port of the loopback callback; 0 is a free one',
    default: '0',
    flag: '--port',
    variables: [['WM_CALLBACK_PORT']],
    inFolder: 'never',
  },
  timeout: {
    schema: timeoutSeconds,
    placeholder: 'SECONDS',
    help: 'Time limit for one request, except a token refresh',
    default: '30',
    flag: '--timeout',
    inFolder: 'allowed',
  },
  'read-only': {
    schema: boolean,
    placeholder: 'BOOLEAN',
    help: 'Send no request to the service that changes anything: true or false',
    default: 'false',
    flag: '--read-only',
    variables: [['WM_READ_ONLY', 'true']],
    inFolder: 'only true',
    ofProfile: 'in its sign-in',
  },
  color: {
    schema: boolean,
    placeholder: 'BOOLEAN',
    help: 'Print colours on a terminal: true or false',
    default: 'true',
    flag: '--no-color',
    variables: [
      ['NO_COLOR', 'false'],
      ['CLICOLOR_FORCE', 'true'],
    ],
    inFolder: 'allowed',
  },
  input: {
    schema: boolean,
    placeholder: 'BOOLEAN',
    help: 'Prompt on a terminal: true or false',
    default: 'true',
    flag: '--no-input',
    variables: [
      ['WM_NO_INPUT', 'false'],
      ['CI', 'false'],
    ],
    inFolder: 'allowed',
  },
} as const satisfies Readonly<Record<string, SettingRow>>;

export type SettingName = keyof typeof settings;
export type SettingValue<K extends SettingName> = TypeOf<(typeof settings)[K]['schema']>;
export type SettingValues = { readonly [K in SettingName]?: SettingValue<K> };

export function isSettingName(name: string): name is SettingName {
  return Object.hasOwn(settings, name);
}

export const settingNames: readonly SettingName[] = Object.keys(settings).filter(isSettingName);

export function settingRow(name: SettingName): SettingRow {
  return settings[name];
}
