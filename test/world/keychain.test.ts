// The keychain: a real gnome-keyring on a session bus of its own, where this machine has one, and the ways in which
// there is none. keychain.deep.test.ts has more of both, and prompts.

import { fileURLToPath } from 'node:url';
import { isChild, keychainTests } from './keychain.ts';

if (!(await isChild())) {
  const { withoutService, withoutLibrary, withKeyring } = keychainTests(fileURLToPath(import.meta.url));
  withoutService(false);
  withoutLibrary();
  withKeyring(false);
}
