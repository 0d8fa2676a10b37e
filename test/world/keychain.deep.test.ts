// The keychain: a real gnome-keyring that is unlocked, locked or not there, a session bus that is not there in several ways, and
// prompts on a screen that nobody looks at.

import { fileURLToPath } from 'node:url';
import { isChild, keychainTests } from './keychain.ts';

if (!(await isChild())) {
  const { withoutService, withKeyring, withPrompt } = keychainTests(fileURLToPath(import.meta.url));
  withoutService(true);
  withKeyring(true);
  withPrompt();
}
