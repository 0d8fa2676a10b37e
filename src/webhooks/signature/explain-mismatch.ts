// Explains a wrong signature: tries the usual changes to a body, a secret or a signature on the way, and names one that would
// cause the mismatch.

import { parseJson } from '#contract/json.ts';
import { verify } from '#contract/signature.ts';

type Mismatch = Readonly<Record<'why' | 'hint', string>>;

const signBytes = 'Check the signature of the bytes as they came, before anything decodes or changes them.';

export function explainMismatch(secret: string, body: Uint8Array, signature: string): Mismatch {
  return (
    explainByForm(secret, body, signature) ??
    explainByBody(secret, body, signature) ??
    explainBySecret(secret, body, signature) ?? {
      why: 'the secret is another one, or the body is not the one that was signed',
      hint: `Check that the secret is the one that the webhook was created with. ${signBytes}`,
    }
  );
}

function explainByForm(secret: string, body: Uint8Array, signature: string): Mismatch | undefined {
  if (/^[0-9a-f]{64}$/i.test(signature)) return undefined;
  const bare = signature.trim().replace(/^(?:sha256|v1)=/i, '');
  if (bare !== signature && verify(secret, body, bare))
    return {
      why: 'the digits are right, but something stands before or after them',
      hint: 'Give the 64 hexadecimal digits of the header and nothing else.',
    };
  const decoded = /^[\w+/-]{43}=?$/.test(bare) ? Buffer.from(bare, 'base64').toString('hex') : '';
  if (verify(secret, body, decoded))
    return {
      why: 'the signature is right, but in base64',
      hint: 'The service writes signatures as hexadecimal digits.',
    };
  return {
    why: `a signature is 64 hexadecimal digits; this has ${signature.length} characters`,
    hint: 'Give the value of the header X-Hook-Signature.',
  };
}

function explainByBody(secret: string, body: Uint8Array, signature: string): Mismatch | undefined {
  const text = Buffer.from(body).toString('latin1');
  const changes: readonly (readonly [what: string, ...texts: string[]])[] = [
    [
      'this body without the line break at its end, which an editor or echo may have added',
      text.replace(/\r?\n$/, ''),
      text.replace(/(?<![\r\n])[\r\n]+$/, ''),
    ],
    ['this body with a line break at its end, which $(...) in a shell removes', `${text}\n`, `${text}\r\n`],
    [
      'this body with other line breaks: CRLF and LF were exchanged',
      text.replaceAll('\r\n', '\n'),
      text.replaceAll('\n', '\r\n'),
    ],
    ['this body without the byte order mark at its start', text.replace(/^\xef\xbb\xbf/, '')],
    ['an empty body: the body was not passed on', ''],
    ['the same JSON in another form: the body was parsed and encoded again', ...otherForms(body)],
  ];
  const isSigned = (candidate: string) =>
    candidate !== text && verify(secret, Buffer.from(candidate, 'latin1'), signature);
  const [what] = changes.find(([, ...texts]) => texts.some(isSigned)) ?? [];
  return what === undefined ? undefined : { why: `it is the signature of ${what}`, hint: signBytes };
}

/** The body's JSON as other encoders write it, in Latin-1 like the bytes here. */
function otherForms(body: Uint8Array): readonly string[] {
  let value: unknown;
  try {
    value = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    return [];
  }
  const single: readonly unknown[] = Array.isArray(value) && value.length === 1 ? value : [];
  const forms = [value, [value], ...single].flatMap((candidate) => [
    JSON.stringify(candidate),
    JSON.stringify(candidate, null, 2),
    JSON.stringify(candidate, null, 4),
    JSON.stringify(candidate, null, '\t'),
    withSpaces(candidate),
  ]);
  return forms
    .flatMap((form) => [form, escapeNonAscii(form), form.replaceAll('/', '\\/')])
    .flatMap((form) => [form, `${form}\n`])
    .map((form) => Buffer.from(form).toString('latin1'));
}

/** Python's format: a space after each colon and comma. */
function withSpaces(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(withSpaces).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).map(
    ([name, member]) => `${JSON.stringify(name)}: ${withSpaces(member)}`,
  );
  return `{${members.join(', ')}}`;
}

function escapeNonAscii(text: string): string {
  return text.replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

function explainBySecret(secret: string, body: Uint8Array, signature: string): Mismatch | undefined {
  const variants = [secret.trim(), `${secret}\n`, `${secret}\r\n`, secret.replace(/^(["'])(.*)\1$/, '$2')];
  if (!variants.some((variant) => variant !== secret && variant !== '' && verify(variant, body, signature)))
    return undefined;
  return {
    why: 'the secret is right but for spaces, quotes or a line break around it',
    hint: 'Give the secret exactly as the webhook was created with it.',
  };
}
