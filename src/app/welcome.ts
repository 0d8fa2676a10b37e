// `wm` without arguments: shows who is signed in and what to try next. Not in the command table, because it has no words.

import { command } from '#cli/command.ts';
import { type FormatContext, formatCommand, withProfile } from '#cli/format-command.ts';
import { defaultProfile, findProfile, type Profile } from '#login/profile.ts';
import { findHost, selectProfileName } from '#login/select-account.ts';

export default command({
  changes: 'nothing',
  examples: { 'Show who is signed in, and what to try next': 'wm' },
  async run(_input, context) {
    const { world, account, report } = context;
    if (account.token !== undefined) {
      const host = await findHost(world, account);
      const signInLine = `Using the token in WM_TOKEN for ${host ?? 'an unknown host (WM_HOST is not set)'}.`;
      await (report.wantsJson
        ? report.json({ ...signedOutJson, signedIn: true, by: 'WM_TOKEN', host: host ?? null })
        : report.line(formatPage(signInLine, [['wm whoami'], everyCommand])));
      return;
    }
    const { name } = await selectProfileName(world, account);
    const profile = await findProfile(world, name);
    if (report.wantsJson) {
      const { user = null, account: accountName = null, host = null } = profile ?? {};
      const signIn = profile ? { signedIn: true, by: 'profile' } : {};
      await report.json({ ...signedOutJson, ...signIn, profile: name, user, account: accountName, host });
    } else {
      await report.line(profile ? signedInText(profile, context) : signedOutText(name, context));
    }
  },
});

const signedOutJson = { signedIn: false, by: null, profile: null, user: null, account: null, host: null };

function signedInText({ name, user, account, host }: Profile, context: FormatContext): string {
  const signInLine = `Signed in as ${user ?? 'an unknown user'} to ${account ?? host} (profile ${name}).`;
  const lines = ['task get ID', 'task update ID --status Completed', 'webhook list'];
  return formatPage(signInLine, [...lines.map((line): Tip => [formatCommand(context, line)]), everyCommand]);
}

function signedOutText(name: string, context: FormatContext): string {
  const isDefault = name === defaultProfile;
  return formatPage(`Not signed in${isDefault ? '' : ` (profile ${name})`}.`, [
    ['wm demo', 'try it without an account'],
    [formatCommand(withProfile(context, isDefault ? undefined : name), 'login'), 'sign in'],
    everyCommand,
  ]);
}

type Tip = readonly [line: string, meaning?: string];

const everyCommand: Tip = ['wm --help', 'see what else there is'];

function formatPage(signInLine: string, tips: readonly Tip[]): string {
  const width = Math.max(...tips.filter(([, meaning]) => meaning !== undefined).map(([line]) => line.length));
  const lines = tips.map(([line, meaning]) =>
    meaning === undefined ? line : `${line.padEnd(width)}   ${meaning}`,
  );
  return [signInLine, '', ...lines.map((line) => `  ${line}`)].join('\n');
}
