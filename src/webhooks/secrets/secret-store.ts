// Where the secrets of webhooks are stored, if the user wants that: in the keychain, or in files where tokens are in files too.
// Never anywhere else, and never without being told to.

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
  /** Whether there is one, also if it cannot be read. */
  has(owner: SecretOwner): Promise<boolean>;
  read(owner: SecretOwner): Promise<string | undefined>;
  write(owner: SecretOwner, secret: string): Promise<void>;
  /** True if there was one. */
  remove(owner: SecretOwner): Promise<boolean>;
}
