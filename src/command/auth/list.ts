// `wm auth list`: every sign-in that is kept here.

import { chosenName } from '../../login/account.ts';
import { type Profile, readProfiles } from '../../login/profile.ts';
import type { Column } from '../../terminal/table.ts';
import { command } from '../command.ts';

interface Listed {
  readonly profile: string;
  /** True for the one that a command here and now would use. */
  readonly chosen: boolean;
  readonly user: string | null;
  readonly account: string | null;
  readonly host: string;
  readonly signedIn: string;
}

const columns: readonly Column<Listed>[] = [
  { title: 'profile', cell: (one) => one.profile },
  { title: 'in use', cell: (one) => (one.chosen ? 'yes' : ''), look: (_, style) => style.good },
  { title: 'user', cell: (one) => one.user ?? '' },
  { title: 'account', cell: (one) => one.account ?? '' },
  { title: 'host', cell: (one) => one.host },
  { title: 'signed in', cell: (one) => one.signedIn },
];

export default command({
  examples: [{ does: 'Which accounts are signed in, and which one is in use here', line: 'wm auth list' }],
  columns,
  arguments: {},
  flags: {},
  async run(_input, { world, account, report }) {
    const { name } = await chosenName(world, account);
    const listed = (await readProfiles(world)).profiles.map(
      (profile: Profile): Listed => ({
        profile: profile.name,
        chosen: account.token === undefined && profile.name === name,
        user: profile.user ?? null,
        account: profile.account ?? null,
        host: profile.host,
        signedIn: new Date(profile.signedInAt).toISOString(),
      }),
    );
    await report.list({ columns, records: listed, raw: listed });
    if (listed.length === 0) await report.say('Nobody is signed in. Sign in: wm login');
    if (account.token !== undefined) await report.say('WM_TOKEN is set, and is used in place of these.');
  },
});
