// `wm` alone: who is signed in, and what to try next.

import { chosenProfile } from '../login/account.ts';
import type { Context } from './context.ts';

export async function home({ world, account, report }: Context): Promise<void> {
  const lines: string[] = [];
  const profile = account.token === undefined ? await chosenProfile(world, account) : undefined;
  if (account.token !== undefined) {
    lines.push(
      `Using the token in WM_TOKEN, on ${account.host ?? '(WM_HOST is not set)'}.`,
      '',
      '  wm whoami',
    );
  } else if (profile) {
    lines.push(
      `Signed in as ${profile.user ?? 'unknown'} to ${profile.account ?? profile.host} (profile ${profile.name}).`,
      '',
    );
    lines.push('  wm task get ID', '  wm task update ID --status Completed', '  wm webhook list');
  } else {
    lines.push(
      'Nobody is signed in.',
      '',
      '  wm demo     see it work, without an account',
      '  wm login    sign in',
    );
  }
  lines.push('  wm --help   every command');
  await report.line(lines.join('\n'));
}
