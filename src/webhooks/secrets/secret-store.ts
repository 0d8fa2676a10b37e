// The place of a webhook's secret: an item of the keychain, or a file if tokens are in files too. A secret is stored only if the
// user asks for it.

import type { StoreKind } from '#login/token-store.ts';

export interface SecretOwner {
  readonly host: string;
  readonly webhookId: string;
}

/** Each method throws a `token_store` Failure if the keychain or the disk fails. */
export interface SecretPlace {
  readonly kind: StoreKind;
  readonly owner: SecretOwner;
  /** For messages: "the keychain", or the path of the file. */
  readonly location: string;
  /** True if a secret is stored, even if it cannot be read. */
  has(): Promise<boolean>;
  read(): Promise<string | undefined>;
  write(secret: string): Promise<void>;
  remove(): Promise<boolean>;
}
