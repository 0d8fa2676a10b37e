// `wm auth switch`: chooses the profile that is used unless a flag, variable or folder names another.

import { command } from '#cli/command.ts';
import { unsetCommand } from '#cli/environment-variables.ts';
import { formatCommand, withProfile } from '#cli/format-command.ts';
import { commandHint, Failure, joinHints } from '#failure.ts';
import { parseProfileName, readProfiles, setCurrentProfile } from '#login/profile.ts';
import { forceFlag, rejectIfTokenIsSet, tokenPrecedenceDetails } from './sign-in/token-precedence.ts';

export default command({
  changes: 'this machine',
  examples: {
    'Switch to another account': 'wm auth switch work',
    'For one command only': 'wm webhook list --profile work',
  },
  details: `A folder can have its own setting: a file .wm.json that contains { "profile": "work" } applies to that folder and to
everything below it. In order of precedence: --profile, WM_TOKEN, WM_PROFILE, the folder's setting, this command.

${tokenPrecedenceDetails}`,
  arguments: {
    profile: { help: 'the name of the profile, from wm auth list', optional: true, completes: 'profile' },
  },
  flags: { force: forceFlag },
  async run({ arguments: { profile: profileArgument }, flags }, context) {
    const { world, report } = context;
    await rejectIfTokenIsSet(context, 'the profile would not be used', flags.force);
    const { profiles } = await readProfiles(world);
    if (profiles.length === 0)
      throw new Failure('sign_in_needed', {
        message: 'Not signed in',
        hint: commandHint('To sign in: ', 'wm login'),
      });
    const name =
      profileArgument === undefined
        ? await context.prompt('PROFILE', (prompt) =>
            prompt.pick(
              'Which account?',
              profiles.map(({ name, user, account }) => ({
                title: name,
                details: [user ?? '', account ?? ''],
                value: name,
              })),
            ),
          )
        : parseProfileName(profileArgument);
    if (!profiles.some((profile) => profile.name === name))
      throw new Failure('not_found', {
        message: `Profile not found: ${name}`,
        hint: joinHints([
          commandHint('To list the profiles: ', 'wm auth list'),
          `To add this one: ${formatCommand(withProfile(context, name), 'login')}`,
        ]),
      });
    await setCurrentProfile(world, name);
    await report.info(`wm now uses the profile ${name}.`);
    const { folderProfile } = context.settings;
    if (folderProfile && folderProfile.name !== name)
      await report.warn(
        `In this folder, wm still uses ${folderProfile.name}: ${folderProfile.source} sets it.`,
      );
    const variable = world.environment['WM_PROFILE'];
    if (variable !== undefined && variable !== name) {
      const unset = unsetCommand(world, ['WM_PROFILE']);
      await report.warn(`WM_PROFILE is set to ${variable} and takes precedence. To unset it: ${unset}`);
    }
    if (report.wantsJson) await report.json({ profile: name });
  },
});
