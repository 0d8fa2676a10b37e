// An emulator with nobody signed in, for tests of what a profile changes: a sign-in, and its name in what is printed.

import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { answerConsent } from '../terminal/consent-page.ts';
import { emulated } from './emulated.ts';

/** `signIn` runs a login, and allows what it asks for. The profile is the default, or `work`. */
export async function signedOut(context: TestContext) {
  const { wm, emulator } = await emulated(context, {}, { signedOut: true });
  const signIn = async (...login: string[]) => {
    const started = await wm([...login, '--start']);
    assert.equal(started.status, 0, started.errors);
    const landing = await answerConsent(started.output.trim(), { press: 'Allow' });
    const profile = login.includes('--profile') ? ['--profile', 'work'] : [];
    const completed = await wm(['login', '--complete', ...profile], { input: `${landing}\n` });
    assert.equal(completed.status, 0, completed.errors);
  };
  return { wm, signIn, emulator };
}
