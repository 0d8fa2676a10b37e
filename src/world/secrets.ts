// Redacts the secrets that this process has seen, in every encoding that a service, a proxy or a library may use.

import { proxyVariables } from './proxy-choice.ts';
import type { Environment, Secrets } from './world.ts';

/** Even the shortest secret has this many base64 characters that its neighbours cannot change. */
const minBase64 = 10;
/** A shorter text is too weak to be a secret, and would match ordinary words. */
const minLength = 8;
const redacted = '[redacted]';

/** Redacts the passwords of the proxies in the environment from the start. */
export function createSecrets(environment: Environment): Secrets {
  const secretFinder = createFinder();
  const credentials = createFinder();
  for (const name of proxyVariables) {
    const proxy = environment[name];
    if (proxy) secretFinder.add(proxySecrets(proxy));
  }
  return {
    add: (...secrets) => secretFinder.add(secrets),
    addCredentials(...secrets) {
      secretFinder.add(secrets);
      credentials.add(secrets);
    },
    redact: secretFinder.redact,
    redactCredentials: credentials.redact,
  };
}

/** Finds whole secrets, never parts. */
function createFinder() {
  const secretTexts = new Set<string>();
  const forms = new Set<string>();
  let sorted: readonly string[] | undefined;
  return {
    add(secrets: readonly (string | undefined)[]): void {
      for (const secret of secrets) {
        if (secret === undefined || secret.length < minLength || secretTexts.has(secret)) continue;
        secretTexts.add(secret);
        sorted = undefined;
        for (const form of encodedForms(secret)) forms.add(form);
      }
    },
    redact(text: string): string {
      // Longer secrets first: one may be the beginning of another.
      sorted ??= [...forms].sort((first, second) => second.length - first.length);
      // Not one expression: V8 rejects that of a long secret, with a message that contains it.
      let safe = text;
      for (const form of sorted) if (safe.includes(form)) safe = safe.replaceAll(form, redacted);
      return safe;
    },
  };
}

function proxySecrets(proxy: string): readonly string[] {
  const userAndPassword = /^(?:[a-z][a-z\d+.-]*:\/\/)?([^/?#]*):([^/?#]*)@/i.exec(proxy);
  if (!userAndPassword) return [];
  const [, user = '', password = ''] = userAndPassword;
  const plain = [user, password].map(decodeOrSame);
  // The second is what the header contains as base64.
  return [password, plain[1] ?? '', `${user}:${password}`, plain.join(':')];
}

function decodeOrSame(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Returns the secret and its misreadings, each also encoded once or twice: as in a URL, a form, JSON, HTML or base64. */
function encodedForms(secret: string): readonly string[] {
  // Most tokens: no encoder changes these characters, and no program misreads them.
  if (/^[\w.~-]+$/.test(secret)) return [secret, ...base64Forms(secret)];
  const once = new Set(misreadings(secret).flatMap(encode));
  const forms = [...once].flatMap((form) => [...encode(form), ...base64Forms(form)]);
  return forms.filter(({ length }) => length >= minLength);
}

/** Returns what a careless program reads: UTF-8 as Latin-1, and plain text as a form. */
function misreadings(secret: string): readonly string[] {
  return [secret, Buffer.from(secret).toString('latin1')].flatMap((text) => [
    text,
    text
      .replace(/%([\da-f]{2})/gi, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16)))
      .replaceAll('+', ' '),
  ]);
}

function encode(text: string): readonly string[] {
  const percent = percentEncodeStrictly(text);
  const plain = [
    text,
    percent,
    text.isWellFormed() ? encodeURIComponent(text) : '',
    percent.replace(/%20/g, '+'),
    JSON.stringify(text).slice(1, -1),
    JSON.stringify(text).slice(1, -1).replace(/\//g, '\\/'),
    escapeHtml(text, '&#39;'),
    escapeHtml(text, '&#x27;'),
  ];
  return [...plain, ...plain.map((form) => form.replace(/%[\dA-F]{2}/g, (byte) => byte.toLowerCase()))];
}

/** Encodes every character that some encoder changes. */
function percentEncodeStrictly(text: string): string {
  return encodeURIComponent(text.toWellFormed()).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

function escapeHtml(text: string, quote: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, quote);
}

/** Inside a longer base64 text: the text before shifts the secret by a byte or two, and its ends mix with their neighbours. */
function base64Forms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const isMixed = (shift + bytes.length) % 3 !== 0;
    const unmixed = text.slice(shift === 0 ? 0 : shift + 1, isMixed ? -1 : undefined);
    return [unmixed, unmixed.replaceAll('+', '-').replaceAll('/', '_')].filter(
      ({ length }) => length >= minBase64,
    );
  });
}
