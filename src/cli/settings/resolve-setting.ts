// Resolves the effective value of a setting and its source, and has the columns that show both. The first that is set counts: flag,
// environment, folder's file, profile (its setting, then its last sign-in), user's setting for all profiles, default.

import { type Schema, ValidationError } from '#contract/schema.ts';
import { Failure } from '#failure.ts';
import type { Profile } from '#login/profile.ts';
import { type AccountOptions, selectSignIn } from '#login/select-account.ts';
import type { Column } from '#terminal/table.ts';
import type { World } from '#world/world.ts';
import type { CommonFlags } from '../flags/common-flags.ts';
import { booleanFlag, toKebabCase } from '../flags/flag.ts';
import type { Settings } from './load-settings.ts';
import { type SettingName, settingNames, settingRow } from './setting-table.ts';

interface ResolvedSetting {
  readonly key: SettingName;
  /** The value as in a file; null if unset. */
  readonly value: unknown;
  /** The value as on the command line; empty if unset. */
  readonly text: string;
  readonly from: 'flag' | 'environment' | 'folder' | 'profile' | 'sign-in' | 'user' | 'default';
  /** The flag, variable, file or profile; `default` if unset. */
  readonly origin: string;
}

interface SettingsContext {
  readonly world: Pick<World, 'files' | 'environment'>;
  readonly common: CommonFlags;
  readonly account: AccountOptions;
  readonly settings: Settings;
}

export async function resolveSettings(context: SettingsContext): Promise<readonly ResolvedSetting[]> {
  const { world, account } = context;
  const selected = account.token === undefined ? await selectSignIn(world, account) : undefined;
  return settingNames.map((key): ResolvedSetting => {
    if (key === 'profile') {
      // A token in the environment does not belong to a profile.
      if (!selected) return { key, value: null, text: '', from: 'environment', origin: 'WM_TOKEN' };
      const { name, source } = selected;
      return { key, value: name, text: name, from: profileOrigin(context, source), origin: source };
    }
    return resolveOther(context, key, selected?.name, selected?.profile);
  });
}

function profileOrigin({ settings }: SettingsContext, source: string): ResolvedSetting['from'] {
  if (source.startsWith('--')) return 'flag';
  if (source.startsWith('WM_')) return 'environment';
  return settings.folderProfile?.source === source ? 'folder' : source === 'current' ? 'user' : 'default';
}

function resolveOther(
  { world: { environment }, common, settings }: SettingsContext,
  key: Exclude<SettingName, 'profile'>,
  profile: string | undefined,
  signIn: Profile | undefined,
): ResolvedSetting {
  const { schema, flag = '', variables = [], ...row } = settingRow(key);
  const show = (value: unknown, from: ResolvedSetting['from'], origin: string): ResolvedSetting => ({
    key,
    value,
    text: schema.toWire(value),
    from,
    origin,
  });
  const [, flagValue] = Object.entries(common).find(([name]) => toKebabCase(name) === key) ?? [];
  if (flagValue !== undefined) return show(flagValue, 'flag', flag);
  for (const [name, standsFor] of variables) {
    const typed = environment[name];
    if (!typed || (name === 'CLICOLOR_FORCE' && typed === '0')) continue;
    const text = standsFor ?? typed;
    return { key, value: parseVariable(schema, text), text, from: 'environment', origin: name };
  }
  if (key === 'read-only') {
    // A guard that one source sets cannot be lifted by another.
    const { readOnlyOrigin } = settings;
    if (readOnlyOrigin !== undefined)
      return show(true, settings.folder?.path === readOnlyOrigin ? 'folder' : 'user', readOnlyOrigin);
    if (signIn?.readOnly) return show(true, 'profile', `profile ${signIn.name}`);
    return show(false, 'default', 'default');
  }
  const stored = settings.find(key, profile);
  if (stored && stored.from !== 'user') return show(stored.value, stored.from, stored.origin);
  const remembered = signIn && rememberedValue(signIn, key);
  if (remembered !== undefined) return show(remembered, 'sign-in', `profile ${signIn?.name}, last sign-in`);
  if (stored) return show(stored.value, stored.from, stored.origin);
  if (row.default === undefined) return { key, value: null, text: '', from: 'default', origin: 'default' };
  return show(schema.fromWire(row.default), 'default', 'default');
}

/** An invalid text unchanged: the command that uses a variable reports its problems. */
function parseVariable(schema: Schema<unknown>, text: string): unknown {
  try {
    return schema.fromWire(text);
  } catch (error) {
    if (!(error instanceof ValidationError || error instanceof Failure)) throw error;
    return text;
  }
}

function rememberedValue({ authUrl, hostSuffixes, clientId, store }: Profile, key: SettingName) {
  if (key === 'auth-url') return authUrl;
  if (key === 'host-suffixes') return hostSuffixes.length === 0 ? undefined : hostSuffixes;
  if (key === 'client-id') return clientId;
  return key === 'token-store' ? store : undefined;
}

export const settingColumns: readonly [Column<ResolvedSetting>, Column<ResolvedSetting>] = [
  { title: 'key', cell: ({ key }) => key },
  { title: 'value', cell: ({ text }) => text },
];

export const originColumn: Column<ResolvedSetting> = { title: 'origin', cell: ({ origin }) => origin };
export const originFlag = booleanFlag('Show where the value comes from');
