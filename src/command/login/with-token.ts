// Signing in with a permanent token from standard input: it is tried, then kept.

import { Failure, usageError } from '../../failure.ts';
import { parseHost, withSchemeOf } from '../../login/host.ts';
import { findProfile } from '../../login/profile.ts';
import { saveSignIn } from '../../login/sign-in-storage.ts';
import type { StoredTokens } from '../../login/token-store.ts';
import type { Context } from '../context.ts';
import { type Identity, whoIs } from '../identity.ts';
import { shellWord, withInput } from '../shell-word.ts';
import { chooseStore, sayWhereStored } from './choose-store.ts';
import type { LoginFlags } from './flags.ts';
import { identityOf } from './identify.ts';
import { confirmAnother, isAnother, mayBeAnother, nameOf } from './replace.ts';
import { tokenFromInput } from './token-from-input.ts';

export async function withToken(
  context: Context,
  name: string,
  { host: flagHost, store: flagStore }: LoginFlags,
): Promise<Identity> {
  const { world } = context;
  const word = (text: string) => shellWord(text, world.process.platform);
  const from = flagHost === undefined ? 'WM_HOST' : '--host';
  const given = flagHost ?? world.environment['WM_HOST'];
  if (given === undefined)
    throw usageError(
      'A permanent token brings no host',
      `As in: ${withInput('wm login --with-token --host api.example.com', 'token.txt', world)}`,
    );
  if (world.streams.input.isTerminal)
    throw usageError(
      '--with-token reads standard input',
      `As in: ${withInput(`wm login --with-token --host ${word(given)}`, 'token.txt', world)}`,
    );
  const host = withSchemeOf(world.environment['WM_AUTH_URL'], parseHost(given, from));
  const token = await tokenFromInput(world);
  const store = await chooseStore(context, name, flagStore);
  const item: StoredTokens = { generation: 1, accessToken: token, host };
  const identity = await identityOf(context, item).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'sign_in_needed') throw error;
    throw new Failure('sign_in_needed', {
      message: `${host} does not accept this token`,
      why: error.why,
      hint: 'Check the token and the host: each data centre knows only its own tokens. Nothing was kept.',
      errorCode: error.errorCode,
      httpStatus: error.httpStatus,
      cause: error,
    });
  });
  const before = await findProfile(world, name);
  if (mayBeAnother(context, before) && isAnother(before, identity))
    await confirmAnother(context, before, nameOf(identity), {
      words: `wm login --with-token --host ${word(host)}`,
    });
  const profile = {
    name,
    host,
    hostSuffixes: [],
    store: store.kind,
    signedInAt: world.clock.now(),
    ...whoIs(identity),
  };
  const left = await saveSignIn(world, store, profile, item);
  if (left) await context.report.warn(left);
  await sayWhereStored(context, store, name);
  return identity;
}
