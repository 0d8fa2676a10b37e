// Reads a settings file that a person may have written: the user's config.json, or a folder's .wm.json. Reports problems with
// their lines. Shows the values of known keys only: others may be secrets.

import { didYouMean } from '#contract/did-you-mean.ts';
import { findDuplicateKey, isJsonObject, parseJson } from '#contract/json.ts';
import { locateJson } from '#contract/locate-json.ts';
import { ValidationError } from '#contract/schema.ts';
import { Failure, usageError } from '#failure.ts';
import { parseProfileName } from '#login/profile.ts';
import { omitUndefined } from '#omit-undefined.ts';
import type { World } from '#world/world.ts';
import { decodeText } from '../decode-text.ts';
import { type FormatContext, formatCommandWith, withProfile } from '../format-command.ts';
import {
  isSettingName,
  type SettingName,
  type SettingValues,
  settingNames,
  settingRow,
} from './setting-table.ts';

type SettingsFileKind = 'user' | 'folder';

export interface SettingsFile {
  readonly path: string;
  readonly values: SettingValues;
  /** The settings of single profiles; empty in a folder's file. */
  readonly profiles: ReadonlyMap<string, SettingValues>;
  /** In the order of the file. The other settings still apply. */
  readonly problems: readonly SettingsProblem[];
  /** A crash or a full disk left no bytes, or NUL bytes. */
  readonly isEmpty: boolean;
}

interface SettingsProblem {
  readonly line: number;
  readonly problem: string;
  readonly hint: string;
}

export const profilesMember = 'profiles';
const secretName = /secret|password|(?<!-)token(?!-store)/i;

export function parseSettingsFile(
  world: Pick<World, 'process'>,
  bytes: Uint8Array,
  path: string,
  kind: SettingsFileKind,
): SettingsFile {
  const editHint = `Correct the file with an editor. It is JSON: { "timeout": 60 }`;
  const withProblem = (problem: string, line = 1): SettingsFile => ({
    path,
    values: {},
    profiles: new Map(),
    problems: [{ line, problem, hint: editHint }],
    isEmpty: false,
  });
  let text: string;
  try {
    text = decodeText(bytes, { fatal: true });
  } catch {
    return withProblem('the file is not UTF-8 text');
  }
  // A file of a folder stays an error: it may have named the account or forbidden changes.
  const isEmpty = kind === 'user' && /^[\0\s]*$/.test(text);
  let decoded: unknown;
  try {
    decoded = isEmpty ? {} : parseJson(text);
  } catch {
    const { problem = { line: 1, expected: 'JSON' } } = locateJson(text);
    return withProblem(`not JSON: expected ${problem.expected}`, problem.line);
  }
  if (!isJsonObject(decoded)) return withProblem('not a JSON object');

  const problems: SettingsProblem[] = [];
  let located: ReturnType<typeof locateJson> | undefined;
  const add = (memberPath: readonly string[], problem: string, hint: string) => {
    located ??= locateJson(text);
    problems.push({ line: located.lineOf(memberPath) ?? 1, problem, hint });
  };
  const readSection = (section: object, parents: readonly string[]): SettingValues => {
    const profile = parents.at(-1);
    const values: [string, unknown][] = [];
    const members: [string, unknown][] = Object.entries(section);
    for (const [name, value] of members) {
      const memberPath = [...parents, name];
      if (name === profilesMember && parents.length === 0 && kind === 'user') continue;
      const line = { world, common: omitUndefined({ profile }) };
      const flags = kind === 'folder' ? ['--directory'] : [];
      const remove = `To remove it: ${formatCommandWith(line, 'config unset', [name], ...flags)}`;
      const misplaced = isSettingName(name)
        ? (whyMisplaced(line, name, kind, value) ?? whyNotOfProfile(name, line))
        : whyUnknown(name);
      if (misplaced || !isSettingName(name)) {
        add(memberPath, misplaced?.problem ?? '', [misplaced?.hint, remove].filter(Boolean).join('\n'));
        continue;
      }
      try {
        values.push([name, settingRow(name).schema.validate(value)]);
      } catch (error) {
        add(memberPath, describeInvalid(name, error), remove);
      }
    }
    // Each value has the type of its row, but the compiler cannot infer that through the loop.
    return Object.fromEntries(values) as SettingValues;
  };

  const values = readSection(decoded, []);
  const profiles = new Map<string, SettingValues>();
  const sections = kind === 'user' ? decoded[profilesMember] : undefined;
  if (sections !== undefined && !isJsonObject(sections))
    add(
      [profilesMember],
      `${profilesMember} is not an object`,
      `Write { "${profilesMember}": { "NAME": { "timeout": 60 } } }`,
    );
  else {
    const entries: [string, unknown][] = Object.entries(sections ?? {});
    for (const [name, section] of entries) {
      const memberPath = [profilesMember, name];
      try {
        parseProfileName(name);
        if (isJsonObject(section)) profiles.set(name, readSection(section, memberPath));
        else add(memberPath, `the settings of the profile ${name} are not an object`, editHint);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        add(memberPath, error.message, error.hint ?? editHint);
      }
    }
  }
  const duplicate = findDuplicateKey(text);
  if (duplicate !== undefined)
    add([duplicate], `${JSON.stringify(duplicate)} appears twice in one object`, 'Remove one of the two.');
  return { path, values, profiles, problems: problems.toSorted((a, b) => a.line - b.line), isEmpty };
}

export function settingsFailure(path: string, [first, ...more]: readonly SettingsProblem[]): Failure {
  const doctorHint = more.length === 0 ? '' : `\nTo list all ${more.length + 1} problems: wm doctor`;
  return usageError(`${path}, line ${first?.line}: ${first?.problem}`, `${first?.hint}${doctorHint}`);
}

interface Misplaced {
  readonly problem: string;
  readonly hint?: string;
}

function whyNotOfProfile(name: SettingName, line: FormatContext): Misplaced | undefined {
  if (line.common.profile === undefined || settingRow(name).ofProfile === undefined) return undefined;
  return {
    problem: `${name} of a profile is stored with its sign-in, not in this file`,
    hint: `To set it there: ${formatCommandWith(line, 'config set', [name, 'true'])}`,
  };
}

export function whyMisplaced(
  context: FormatContext,
  name: SettingName,
  kind: SettingsFileKind,
  value: unknown,
): Misplaced | undefined {
  const { inFolder, inUserFile } = settingRow(name);
  if (kind === 'folder' && inFolder === 'never')
    return {
      problem: `${name} cannot be set by a folder: another person's folder could send a sign-in elsewhere`,
      hint: `Set it for yourself: ${formatCommandWith(withProfile(context, undefined), 'config set', [name, settingRow(name).placeholder])}`,
    };
  if (kind === 'folder' && inFolder === 'only true' && value === false)
    return { problem: `${name} can only be true in a folder: a folder cannot turn off your protection` };
  if (kind === 'user' && inUserFile === false)
    return {
      problem: `${name} cannot be set in this file`,
      hint: 'To choose the profile in use: wm auth switch NAME. For a folder: wm config set profile NAME --directory',
    };
  return undefined;
}

export function whyUnknown(name: string): Misplaced {
  const shown = JSON.stringify(name);
  if (secretName.test(name))
    return {
      problem: `${shown}: wm reads no secrets from a settings file`,
      hint: 'Give secrets in the environment (WM_TOKEN, WM_CLIENT_SECRET), on standard input or at a prompt.',
    };
  return {
    problem: `unknown setting ${shown}`,
    hint: didYouMean(name, settingNames) ?? 'See: wm config set --help keys',
  };
}

export function describeInvalid(name: SettingName, error: unknown): string {
  if (!(error instanceof ValidationError) && !(error instanceof Failure)) throw error;
  return error.message.startsWith(`${name}:`) ? error.message : `${name}: ${error.message}`;
}
