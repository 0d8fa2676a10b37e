// The interface of the stores for webhooks' secrets: the keychain, or files if tokens are in files too. A secret is stored
// only if the user asks for it.

import type { StoreKind } from '#login/token-store.ts';

export interface SecretOwner {
  readonly host: string;
  readonly webhookId: string;
}

/** Each method throws a `token_store` Failure if the keychain or the disk fails. */
export interface SecretStore {
  readonly kind: StoreKind;
  /** For messages: "the keychain", or the path of the file. */
  locationOf(owner: SecretOwner): string;
  /** True if a secret is stored, even if it cannot be read. */
  has(owner: SecretOwner): Promise<boolean>;
  read(owner: SecretOwner): Promise<string | undefined>;
  write(owner: SecretOwner, secret: string): Promise<void>;
  remove(owner: SecretOwner): Promise<boolean>;
}
