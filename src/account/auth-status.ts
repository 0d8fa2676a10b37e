// `wm auth status`: which account a command would use here and why, and what is stored about it, without a request.

import { command } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { formatCommand, withProfile } from '#cli/format-command.ts';
import { commandHint, Failure } from '#failure.ts';
import { openProfileStore } from '#login/open-token-store.ts';
import { findHost, notSignedIn, selectSignIn } from '#login/select-account.ts';
import type { Column } from '#terminal/table.ts';
import {
  detailColumns,
  environmentToken,
  noToken,
  readTokenDetails,
  type TokenDetails,
} from './token-details.ts';

interface Status extends TokenDetails {
  readonly profile: string | null;
  readonly user: string | null;
  readonly account: string | null;
  readonly host: string | null;
  readonly authUrl: string | null;
  readonly store: string | null;
  /** Why it is in use: a flag, a variable, a folder's setting file, `current`, `default`. */
  readonly by: string;
  readonly signedIn: boolean;
}

const [scopes, expires] = detailColumns;

const pipeColumns: readonly Column<Status>[] = [
  { title: 'profile', cell: ({ profile }) => profile ?? '(WM_TOKEN)' },
  { title: 'user', cell: ({ user }) => user ?? '' },
  { title: 'account', cell: ({ account }) => account ?? '' },
  { title: 'host', cell: ({ host, profile }) => host ?? (profile === null ? '(WM_HOST is not set)' : '') },
  { title: 'authorization', cell: ({ authUrl }) => authUrl ?? '' },
  { title: 'token', cell: ({ token }) => token },
  { title: 'stored in', cell: ({ store }) => store ?? '' },
  expires,
  scopes,
  { title: 'in use by', cell: ({ by }) => by },
  {
    title: 'signed in',
    cell: ({ signedIn }) => (signedIn ? 'yes' : 'no'),
    format: (status, style) => (status.signedIn ? style.good : style.bad),
  },
];

export default command({
  changes: 'nothing',
  examples: {
    'Show which account is in use here, and why': 'wm auth status',
    'In a script: exit status 4 means not signed in': 'wm auth status --json',
  },
  pipeColumns,
  async run(_input, context) {
    const { account, report } = context;
    const { status, failure } =
      account.token === undefined ? await readProfileStatus(context) : await readEnvironmentStatus(context);
    await report.one({ columns: pipeColumns, records: [status], raw: [status] });
    if (failure) throw failure;
  },
});

const unknownProfile = { user: null, account: null, host: null, authUrl: null, store: null };

async function readEnvironmentStatus({ world, account }: Context) {
  const host = (await findHost(world, account)) ?? null;
  const status: Status = {
    profile: null,
    ...unknownProfile,
    host,
    ...environmentToken,
    by: 'WM_TOKEN',
    signedIn: true,
  };
  return { status, failure: undefined };
}

async function readProfileStatus(context: Context) {
  const { world, account } = context;
  const { name, source, profile } = await selectSignIn(world, account);
  if (!profile) {
    const status: Status = { profile: name, ...unknownProfile, ...noToken, by: source, signedIn: false };
    return { status, failure: notSignedIn({ name, source }) };
  }
  const store = openProfileStore(world, profile, account.store);
  const tokens = await store.read(profile.name);
  const profileDetails = {
    profile: profile.name,
    user: profile.user ?? null,
    account: profile.account ?? null,
    host: tokens?.host ?? profile.host,
    authUrl: profile.authUrl ?? null,
    store: store.name,
    by: source,
  };
  if (tokens) return { status: { ...profileDetails, ...readTokenDetails(profile, tokens), signedIn: true } };
  const failure = new Failure('sign_in_needed', {
    message: `The tokens of the profile ${name} are not in ${store.name}`,
    hint: commandHint('To sign in: ', formatCommand(withProfile(context, name), 'login')),
  });
  return { status: { ...profileDetails, ...noToken, signedIn: false }, failure };
}
