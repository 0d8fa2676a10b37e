// `wm auth list`: every stored sign-in, which of them a command would use here and now, and why.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { longFlag } from '#cli/print-list.ts';
import { openProfileStore } from '#login/open-token-store.ts';
import { type Profile, readProfiles } from '#login/profile.ts';
import { findHost, selectProfileName } from '#login/select-account.ts';
import { formatTime } from '#terminal/relative-time.ts';
import type { Column } from '#terminal/table.ts';

interface ListedSignIn {
  /** Null for the token in WM_TOKEN. */
  readonly profile: string | null;
  readonly chosen: boolean;
  /** Why it is in use: a flag, a variable, the path of a folder's setting, `current` or `default`. */
  readonly by: string | null;
  readonly user: string | null;
  readonly account: string | null;
  readonly host: string | null;
  /** ISO time of the sign-in; null if not signed in. */
  readonly signedIn: string | null;
}

const pipeColumns: readonly Column<ListedSignIn>[] = [
  { title: 'profile', cell: ({ profile }) => profile ?? '(WM_TOKEN)' },
  {
    title: 'in use',
    cell: ({ chosen, by }) => (chosen ? `yes (${by})` : ''),
    format: (_, style) => style.good,
  },
  { title: 'user', cell: ({ user }) => user ?? '' },
  { title: 'account', cell: ({ account }) => account ?? '' },
  { title: 'host', cell: ({ host }) => host ?? '' },
  {
    title: 'signed in',
    cell({ profile, signedIn }, now) {
      if (signedIn === null) return profile === null ? '' : 'not signed in';
      return formatTime(signedIn, now);
    },
  },
];

export default command({
  changes: 'nothing',
  examples: { 'Show the signed-in accounts, and which one is in use here': 'wm auth list' },
  details: `The column "in use" names the reason: --profile, WM_PROFILE, WM_TOKEN, the path of a folder's setting, current (set by
wm auth switch) or default. A profile whose token file is missing is "not signed in". wm does not look into a keychain
here, because that may prompt.`,
  pipeColumns,
  flags: { long: longFlag },
  async run({ flags: { long } }, context) {
    const { account, report } = context;
    const records = await listSignIns(context);
    await report.list({ columns: pipeColumns, records, raw: records, isOneLine: !long, mayBeLong: true });
    if (records.length === 0) await report.info('Not signed in. To sign in: wm login');
    if (account.token !== undefined && records.length > 1)
      await report.info('WM_TOKEN is set, so wm uses it instead of the profiles.');
  },
});

async function listSignIns({ world, account }: Context): Promise<readonly ListedSignIn[]> {
  const { token } = account;
  const { profiles } = await readProfiles(world);
  const chosen =
    token === undefined ? await selectProfileName(world, account) : { name: null, source: 'WM_TOKEN' };
  const selection = (name: string | null) => {
    const isChosen = name === chosen.name;
    return { profile: name, chosen: isChosen, by: isChosen ? chosen.source : null };
  };
  const signedOut = { user: null, account: null, signedIn: null };
  const listed = await Promise.all(
    profiles.map(async (profile): Promise<ListedSignIn> => {
      const { user = null, account: profileAccount = null, host: profileHost, signedInAt } = profile;
      const signedIn = (await lacksTokens(profile)) ? null : new Date(signedInAt).toISOString();
      return { ...selection(profile.name), user, account: profileAccount, host: profileHost, signedIn };
    }),
  );
  if (chosen.name === null) {
    const host = (await findHost(world, account)) ?? null;
    return [{ ...selection(null), ...signedOut, host }, ...listed];
  }
  const isListed = profiles.some(({ name }) => name === chosen.name);
  // A user who named no profile and is not signed in gets a sentence, not a row.
  if (isListed || chosen.source === 'default') return listed;
  return [{ ...selection(chosen.name), ...signedOut, host: null }, ...listed];

  /** Checks only what needs no keychain prompt. An unreadable store counts as having tokens: `wm doctor` reports it. */
  async function lacksTokens(profile: Profile): Promise<boolean> {
    const store = openProfileStore(world, profile, account.store);
    if (store.kind !== 'file') return false;
    return store.read(profile.name).then(
      (item) => item === undefined,
      () => false,
    );
  }
}
