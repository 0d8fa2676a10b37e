// Makes ids, tokens and other texts from the random bytes of the world, so that a simulation can choose all of them.

interface RandomSource {
  /** Cryptographically secure, except in a simulation. */
  readonly randomBytes: (count: number) => Buffer;
}

const alphanumeric = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789';

/** By default alphanumeric, so that it never needs encoding. The alphabet has at most 256 characters. */
export function randomText(source: RandomSource, length: number, alphabet = alphanumeric): string {
  /** Above the last whole alphabet, the first characters would be more frequent. */
  const limit = 256 - (256 % alphabet.length);
  let text = '';
  while (text.length < length) {
    const usable = source.randomBytes(length - text.length).filter((byte) => byte < limit);
    text += Array.from(usable, (byte) => alphabet.charAt(byte % alphabet.length)).join('');
  }
  return text;
}

/** A UUID of version 4. @see [RFC 9562 §5.4](https://www.rfc-editor.org/rfc/rfc9562#section-5.4) */
export function randomUuid({ randomBytes }: RandomSource): string {
  const bytes = randomBytes(16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x40, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
