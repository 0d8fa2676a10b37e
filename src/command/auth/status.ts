// `wm auth status`: what is kept here of the sign-in, without asking the service.

import { Failure } from '../../failure.ts';
import { chosenProfile } from '../../login/account.ts';
import { storeOf } from '../../login/stored-where.ts';
import type { Column } from '../../terminal/table.ts';
import { command } from '../command.ts';

interface Status {
  readonly profile: string | null;
  readonly user: string | null;
  readonly account: string | null;
  readonly host: string | null;
  readonly authUrl: string | null;
  readonly token: 'environment' | 'permanent' | 'renewable';
  readonly store: string | null;
  /** ISO time; null where it never expires. */
  readonly expires: string | null;
  readonly scopes: readonly string[] | null;
}

const columns: readonly Column<Status>[] = [
  { title: 'profile', cell: (one) => one.profile ?? '(WM_TOKEN)' },
  { title: 'user', cell: (one) => one.user ?? '' },
  { title: 'account', cell: (one) => one.account ?? '' },
  { title: 'host', cell: (one) => one.host ?? '(WM_HOST is not set)' },
  { title: 'authorization', cell: (one) => one.authUrl ?? '' },
  { title: 'token', cell: (one) => one.token },
  { title: 'kept in', cell: (one) => one.store ?? '' },
  {
    title: 'access token until',
    cell: (one) => one.expires ?? (one.token === 'permanent' ? 'it is revoked' : ''),
  },
  // Only a sign-in asks for scopes; what a token from elsewhere may do is not known here.
  {
    title: 'scopes',
    cell: (one) => one.scopes?.join(', ') ?? (one.token === 'renewable' ? 'the default' : ''),
  },
];

export default command({
  examples: [
    { does: 'What is kept of the sign-in', line: 'wm auth status' },
    { does: 'For a script: exit 4 when nobody is signed in', line: 'wm auth status --json' },
  ],
  columns,
  arguments: {},
  flags: {},
  async run(_input, context) {
    const { world, account, report } = context;
    const status = account.token === undefined ? await kept() : fromEnvironment();
    await report.one({ columns, records: [status], raw: [status] });

    function fromEnvironment(): Status {
      return {
        profile: null,
        user: null,
        account: null,
        host: account.host ?? null,
        authUrl: null,
        token: 'environment',
        store: null,
        expires: null,
        scopes: null,
      };
    }

    async function kept(): Promise<Status> {
      const profile = await chosenProfile(world, account);
      const store = storeOf(world, profile, account.store);
      const item = profile && (await store.read(profile.name));
      if (!profile || !item) {
        throw new Failure('sign_in_needed', {
          what: profile
            ? `The tokens of the profile ${profile.name} are not in ${store.name}`
            : 'Nobody is signed in',
        });
      }
      return {
        profile: profile.name,
        user: profile.user ?? null,
        account: profile.account ?? null,
        host: item.host,
        authUrl: profile.authUrl ?? null,
        token: item.refreshToken === undefined ? 'permanent' : 'renewable',
        store: store.name,
        expires: item.expiresAt === undefined ? null : new Date(item.expiresAt).toISOString(),
        scopes: profile.scopes ?? null,
      };
    }
  },
});
