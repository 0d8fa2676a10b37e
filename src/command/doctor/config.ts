// The doctor's check of the files of settings: which there are, and each line that is wrong.

import { joinWithAnd } from '../../contract/format-list.ts';
import type { Context } from '../context.ts';
import { countOf } from '../count-of.ts';
import { userSettingsPath } from '../settings/load-settings.ts';
import type { SettingsFile } from '../settings/settings-file.ts';
import { type Finding, toFinding } from './finding.ts';

const check = 'settings';

export async function settingsCheck({ settings, world }: Context): Promise<Finding[]> {
  const { user, folder, failure } = settings;
  const files = [user, folder].filter((file) => file !== undefined);
  const problems = files.flatMap((file) =>
    file.problems.map(({ line, problem, hint }): Finding => {
      return { check, result: 'bad', found: `${file.path}, line ${line}: ${problem}`, remedy: hint };
    }),
  );
  if (problems.length > 0) return problems;
  // A file that cannot be read at all.
  if (failure) return [toFinding(check, failure)];
  const found =
    files.length === 0 ? `none: there is no ${userSettingsPath(world)}` : joinWithAnd(files.map(describe));
  return [{ check, result: 'good', found }];
}

function describe({ path, values, profiles }: SettingsFile): string {
  const own = [...profiles].map(([name, those]) => `${Object.keys(those).length} for the profile ${name}`);
  return `${path} (${[countOf(Object.keys(values).length, 'setting'), ...own].join(', ')})`;
}
