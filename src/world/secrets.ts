// Redacts secrets: the tokens, codes and passwords that this process has seen, in every encoding that a service, a proxy or
// a library may use. Does not know where text goes: see terminal/redacted-streams.ts.

import type { Environment, Secrets } from './world.ts';

/** Anything shorter is too weak to be a secret, and would match ordinary words. */
const minLength = 8;
/** Text may be truncated: this many leading characters of a secret count as the secret. */
const minPrefixLength = 12;

const redacted = '[redacted]';

/** Starts with the passwords of the proxies in the environment. */
export function createSecrets(environment: Environment): Secrets {
  const known = new Set<string>();
  /** By their beginning, as the finder matches them. */
  const forms = new Map<string, string[]>();
  let finder: RegExp | undefined;
  const secrets: Secrets = {
    add(...secrets) {
      for (const secret of secrets) {
        if (secret === undefined || secret.length < minLength || known.has(secret)) continue;
        known.add(secret);
        finder = undefined;
        for (const form of encodedForms(secret)) {
          const start = prefixOf(form);
          forms.set(start, [...(forms.get(start) ?? []), form]);
        }
      }
    },
    redact(text) {
      if (known.size === 0) return text;
      finder ??= new RegExp([...forms.keys()].sort(longestFirst).map(escapeForPattern).join('|'), 'g');
      let shown = '';
      let end = 0;
      finder.lastIndex = 0;
      for (let found = finder.exec(text); found; found = finder.exec(text)) {
        const lengths = (forms.get(found[0]) ?? []).map((form) =>
          commonPrefixLength(text, found.index, form),
        );
        shown += `${text.slice(end, found.index)}${redacted}`;
        end = found.index + Math.max(found[0].length, ...lengths);
        finder.lastIndex = end;
      }
      return end === 0 ? text : shown + text.slice(end);
    },
    redactJson(value, indent) {
      if (known.size === 0) return JSON.stringify(value, null, indent);
      return JSON.stringify(value, (_, part) => redactValue(part, secrets.redact), indent);
    },
  };
  secrets.add(...proxySecrets(environment));
  return secrets;
}

/** Redacts one JSON value, but not the values inside it: a name or a number may be a secret too. */
function redactValue(part: unknown, redact: (text: string) => string): unknown {
  if (typeof part === 'string') return redact(part);
  if (typeof part === 'number') return redact(String(part)) === String(part) ? part : redacted;
  if (typeof part !== 'object' || part === null || Array.isArray(part)) return part;
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [redact(name), value]));
}

/** The user name and password of each proxy in the variables. */
function proxySecrets(environment: Environment): readonly string[] {
  return ['http_proxy', 'HTTP_PROXY', 'https_proxy', 'HTTPS_PROXY'].flatMap((name) => {
    const found = /^(?:[a-z][a-z\d+.-]*:\/\/)?([^/?#]*):([^/?#]*)@/i.exec(environment[name] ?? '');
    if (!found) return [];
    const [, user = '', password = ''] = found;
    const plain = [user, password].map(decodeOrSame);
    // The second is what the header contains as base64.
    return [password, plain[1] ?? '', `${user}:${password}`, plain.join(':')];
  });
}

function decodeOrSame(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

function prefixOf(form: string): string {
  return form.length < minPrefixLength + 4 ? form : form.slice(0, minPrefixLength);
}

/** Longer ones first, since one start may be the beginning of another. */
function longestFirst(one: string, other: string): number {
  return other.length - one.length;
}

function escapeForPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');
}

function commonPrefixLength(text: string, at: number, form: string): number {
  let length = 0;
  while (length < form.length && text[at + length] === form[length]) length++;
  return length;
}

/** Plain, and as encoded in a URL, a form, JSON, HTML and base64. */
function encodedForms(secret: string): ReadonlySet<string> {
  const percent = percentEncodeStrictly(secret);
  const plain = [
    secret,
    percent,
    encodeURIComponentOrNothing(secret),
    percent.replace(/%20/g, '+'),
    JSON.stringify(secret).slice(1, -1),
    JSON.stringify(secret).slice(1, -1).replace(/\//g, '\\/'),
    escapeHtml(secret, '&#39;'),
    escapeHtml(secret, '&#x27;'),
  ];
  const lowerHex = plain.map((form) => form.replace(/%[\dA-F]{2}/g, (byte) => byte.toLowerCase()));
  return new Set([...plain, ...lowerHex, ...base64Forms(secret)].filter((form) => form.length >= minLength));
}

/** Everything but the characters that no encoder touches. */
function percentEncodeStrictly(text: string): string {
  return [...Buffer.from(text)]
    .map((byte) => {
      const character = String.fromCharCode(byte);
      return /[\w.~-]/.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
    })
    .join('');
}

function encodeURIComponentOrNothing(text: string): string {
  return text.isWellFormed() ? encodeURIComponent(text) : '';
}

function escapeHtml(text: string, quote: string): string {
  return text
    .replace(/&/g, '&amp;')
    .replace(/</g, '&lt;')
    .replace(/>/g, '&gt;')
    .replace(/"/g, '&quot;')
    .replace(/'/g, quote);
}

/** Inside a longer base64 text: the text before it shifts it by a byte or two, and its ends mix with their neighbours. */
function base64Forms(secret: string): readonly string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((shift) => {
    const text = Buffer.concat([Buffer.alloc(shift), bytes])
      .toString('base64')
      .replace(/=+$/, '');
    const isMixed = (shift + bytes.length) % 3 !== 0;
    const own = text.slice(shift === 0 ? 0 : shift + 1, isMixed ? -1 : undefined);
    return [own, own.replaceAll('+', '-').replaceAll('/', '_')].filter(
      (form) => form.length >= minPrefixLength - 2,
    );
  });
}
