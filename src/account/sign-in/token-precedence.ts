// WM_TOKEN in the environment takes precedence over every profile that --profile does not name. A command that adds,
// changes or removes a sign-in would report success, and later commands would still use WM_TOKEN. So it stops instead.

import type { Context } from '#cli/context.ts';
import { unsetCommand } from '#cli/environment-variables.ts';
import { booleanFlag } from '#cli/flags/flag.ts';
import { usageError } from '#failure.ts';

export const forceFlag = booleanFlag('Continue even though WM_TOKEN is set and stays in use');

export const tokenPrecedenceDetails = `WM_TOKEN takes precedence over every profile unless --profile names one. While it is set, this command exits with
status 2 unless you give --profile or --force.`;

export const profileInUseDetails = `Without --profile, wm signs in to the profile in use. If that profile belongs to another user or account, wm asks before
it replaces the sign-in (--yes replaces it). For a second account, use --profile NAME.

${tokenPrecedenceDetails}`;

/**
 * Throws a usage failure if WM_TOKEN would hide the command's effect. `consequence`: "this sign-in would not be used". With --force, or where --profile names the account, warns instead.
 */
export async function rejectIfTokenIsSet(
  { world, common, report }: Pick<Context, 'world' | 'common' | 'report'>,
  consequence: string,
  force: boolean | undefined,
): Promise<void> {
  if (world.environment['WM_TOKEN'] === undefined) return;
  const unset = unsetCommand(world, ['WM_TOKEN']);
  if (common.profile !== undefined) {
    await report.warn(
      `WM_TOKEN is set: commands use it unless --profile ${common.profile} is given. To unset it: ${unset}`,
    );
    return;
  }
  if (force) {
    await report.warn(`WM_TOKEN is set, and commands use it until it is unset: ${unset}`);
    return;
  }
  throw usageError(
    `WM_TOKEN is set, so ${consequence}`,
    `Unset it first: ${unset}\nTo continue anyway, add --force.`,
    'WM_TOKEN takes precedence over every profile unless --profile names one.',
  );
}
