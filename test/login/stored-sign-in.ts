// A sign-in as it is stored in files: the profile `default`, whose access token has expired unless the test says otherwise.

import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { StoredTokens } from '#login/token-store.ts';

export async function storeSignIn(folder: string, tokens: StoredTokens): Promise<void> {
  const { host } = tokens;
  const shared = { hostSuffixes: [], store: 'file', signedInAt: 1 };
  const profile = { name: 'default', authUrl: `http://${host}`, host, ...shared, clientId: 'app' };
  await mkdir(join(folder, 'tokens'), { recursive: true, mode: 0o700 });
  const files = {
    'profiles.json': { current: 'default', profiles: [profile] },
    'tokens/default.json': { expiresAt: 1, clientId: 'app', ...tokens },
  };
  for (const [name, content] of Object.entries(files))
    await writeFile(join(folder, name), JSON.stringify(content), { mode: 0o600 });
}
