// Signs in with a permanent token from standard input: tries it, then stores it.

import { Failure, usageError } from '../../failure.ts';
import { parseHost, withSchemeOf } from '../../login/host.ts';
import { findProfile } from '../../login/profile.ts';
import { saveSignIn } from '../../login/sign-in-storage.ts';
import type { StoredTokens } from '../../login/token-store.ts';
import type { Context } from '../context.ts';
import { type Identity, identityFields } from '../identity.ts';
import { forgetRecords } from '../record-cache/record-cache.ts';
import { quoteForShell, withStandardInput } from '../shell-quote.ts';
import { chooseStore, warnIfPlainText } from './choose-store.ts';
import type { LoginFlags } from './flags.ts';
import {
  confirmReplacement,
  formatIdentity,
  isDifferentIdentity,
  mayReplaceAnother,
} from './replace-sign-in.ts';
import { readTokenFromInput } from './token-from-input.ts';
import { readTokenIdentity } from './token-identity.ts';

export async function signInWithToken(
  context: Context,
  name: string,
  { host: flagHost, store: flagStore }: LoginFlags,
): Promise<Identity> {
  const { world } = context;
  const word = (text: string) => quoteForShell(text, world.process.platform);
  const from = flagHost === undefined ? 'WM_HOST' : '--host';
  const given = flagHost ?? world.environment['WM_HOST'];
  if (given === undefined)
    throw usageError(
      'Missing: --host or WM_HOST',
      `For example: ${withStandardInput('wm login --with-token --host api.example.com', 'token.txt', world)}`,
    );
  if (world.streams.input.isTerminal)
    throw usageError(
      'No token on standard input',
      `For example: ${withStandardInput(`wm login --with-token --host ${word(given)}`, 'token.txt', world)}`,
    );
  const host = withSchemeOf(world.environment['WM_AUTH_URL'], parseHost(given, from));
  const token = await readTokenFromInput(world);
  const store = await chooseStore(context, name, flagStore);
  const item: StoredTokens = { generation: 1, accessToken: token, host };
  const identity = await readTokenIdentity(context, item).catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== 'sign_in_needed') throw error;
    throw error.with({
      message: `${host} rejected this token`,
      hint: 'Check the token and the host: each data centre accepts only its own tokens. Nothing was stored.',
      cause: error,
    });
  });
  const before = await findProfile(world, name);
  if (mayReplaceAnother(context, before) && isDifferentIdentity(before, identity))
    await confirmReplacement(context, before, formatIdentity(identity), {
      words: `wm login --with-token --host ${word(host)}`,
    });
  const profile = {
    name,
    host,
    hostSuffixes: [],
    store: store.kind,
    signedInAt: world.clock.now(),
    ...identityFields(identity),
  };
  const left = await saveSignIn(world, store, profile, item, context.report.info);
  // It may be another user's from here on.
  await forgetRecords(world, name);
  if (left) await context.report.warn(left);
  await warnIfPlainText(context, store, name);
  return identity;
}
