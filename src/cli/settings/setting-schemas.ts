// The schemas of settings, which the flags of `wm login` for the same values share.

import { invalidValue, list, type Schema, ValidationError } from '#contract/schema.ts';
import { parseAuthUrl, parseHost } from '#login/host.ts';
import { parseProfileName } from '#login/profile.ts';
import { parseStoreKind, type StoreKind } from '#login/token-store.ts';
import { everywhereFlags } from '../flags/common-flags.ts';
import { type Flag, integerFlag, listFlag } from '../flags/flag.ts';

/** `parse` throws a ValidationError or a usage failure. */
function parsedText<T extends string>(
  type: string,
  parse: (text: string) => T,
  choices?: readonly string[],
): Schema<T> {
  return {
    type,
    wireFormat: 'text',
    ...(choices ? { choices } : {}),
    validate(input) {
      if (typeof input !== 'string') throw invalidValue(input, 'is not text in quotes');
      return parse(input);
    },
    fromWire: parse,
    toWire: (value) => value,
  };
}

function flagNumber(flag: Flag<number>): Schema<number> {
  return {
    type: 'whole number',
    wireFormat: 'text',
    validate(input) {
      if (typeof input !== 'number') throw invalidValue(input, 'is not a number');
      return flag.parse([String(input)]);
    },
    fromWire: (text) => flag.parse([text]),
    toWire: String,
  };
}

export const profileName = parsedText('profile', parseProfileName);
export const authorizationUrl = parsedText('URL', parseAuthUrl);

export const clientId = parsedText('id', (text) => {
  if (text === '') throw new ValidationError('""', 'must not be empty');
  if (/\p{Cc}/u.test(text)) throw invalidValue(text, 'has a control character');
  return text;
});

/** Hosts separated by commas; in a file a JSON list. `from`: the source of the value. */
export function hostList(from: string): Schema<readonly string[]> {
  const hosts = list(
    parsedText('host', (text) => parseHost(text, from)),
    { notEmpty: 'give at least one host' },
  );
  const flag = listFlag(hosts, 'HOST', '');
  return {
    ...hosts,
    wireFormat: 'text',
    fromWire: (text) => [...new Set(flag.parse([text]))],
    toWire: (value) => value.join(','),
  };
}

export function storeKind(from: string): Schema<StoreKind> {
  return parsedText('store', (text) => parseStoreKind(text, from), ['keychain', 'file']);
}

export const callbackPort = flagNumber(integerFlag('PORT', '', 0, 65_535));
export const timeoutSeconds = flagNumber(everywhereFlags.timeout);
