// Hosts that a token response could name to lead the tokens astray. None of them may be used by a sign-in at
// login.example.com, which allows example.com and what ends in .example.com. Written as parts that are put together.

const evil = ['evil.test', 'evil.com', '203.0.113.7', '[2001:db8::7]', 'xn--80ak6aa92e.com'];
const good = ['api.example.com', 'example.com'];

const white = [
  ...[' ', '\t', '\n', '\r\n', '\u0000', '\u000b', '\u00a0'],
  ...['\ufeff', '\u200b', '\u2028', '\u3000'],
];

/** Without spaces in them. */
export const words = (text: string) => text.split(' ');

function each(...parts: readonly (readonly string[])[]): string[] {
  return parts.reduce<string[]>(
    (all, part) => all.flatMap((prefix) => part.map((suffix) => prefix + suffix)),
    [''],
  );
}

export const hostileHosts: readonly string[] = [
  ...new Set([
    // Another host, plainly; look-alikes before, behind and around the suffix.
    ...evil,
    ...each(words('evil api.evil a- x - not'), ['example.com']).filter(
      (host) => !host.endsWith('.example.com'),
    ),
    ...each(good, ['.'], evil),
    ...each(good, words('.evil .co .com -evil.com x 0 .test .local .onion .a.b.c.d.e')),
    ...words('api.example.org api.example.co api.example.comm api.examp1e.com api.exarnple.com examplecom'),
    ...words('api.example,com api_example.com com .com localhost.example.com.evil.test'),
    // Credentials.
    ...each(
      ['', 'user', 'user:password', 'api.example.com', 'api.example.com:443', ':', '%00'],
      ['@'],
      [...evil, ...good],
    ),
    ...each(good, ['%40', '%2540', '＠', '\u0000@', ' @'], evil),
    // Ports.
    ...each([...evil, ...good], words(': :0 :443 :80 :8443 :65536 :-1 :x :443@evil.test :443:443 :٤٤٣')),
    // Paths, queries, fragments, and what some parsers take for them.
    ...each(good, words('/ // /@evil.test /../ ? ?x # #@evil.test \\ \\@evil.test ; & | ^ `')),
    ...each(evil, ['/', '\\', '?', '#', ';', '%2f', '%5c', '%3f', '%23', ','], good),
    ...each(['//', '/', '\\\\', 'https://', 'http://', 'https:', 'file:///', 'javascript:', 'data:,'], good),
    // White space and control characters, around and inside.
    ...each(white, good),
    ...each(good, [...white, '%20', '%0a', '%0d%0a', '%00']),
    ...each(good, [
      '\r\nHost: evil.test',
      '\nevil.test',
      '\revil.test',
      '\tevil.test',
      ' evil.test',
      '\u0000.evil.test',
      '\u2028evil.test',
    ]),
    'api.exa\nmple.com',
    'api.exa mple.com',
    'api.exa\u00admple.com',
    'api.exa\u200dmple.com',
    'evil.test\n.example.com',
    'evil.test\n\n.example.com',
    'evil.test\r.example.com',
    'evil.test\u0000.example.com',
    // Dots.
    ...each(good, words('. .. 。 ． ｡ %2e .%2e')),
    ...each(['.', '..', '。'], good),
    ...words('api..example.com api.example..com api。example.com.evil.test evil.test。example.com'),
    ...words('evil.test．example.com . ..'),
    '',
    ' ',
    // Labels that are none: hyphens at an end, underscores, too long, and names that are too long.
    ...each(words("- -api. api-. _api. api_. a*b. *. !. $. '. (. ~. +. =. %61pi."), ['example.com']),
    `${'a'.repeat(64)}.example.com`,
    `${'a.'.repeat(122)}example.com`,
    `${'a'.repeat(100_000)}.example.com`,
    // Other alphabets and folded letters: ſ folds to s, K (Kelvin) to k, full width to ASCII.
    'аpi.example.com',
    'api.eхample.com',
    'api.examp\u217ce.com',
    'ap\u0131.example.com',
    'ſ.example.com',
    '\u212a.example.com',
    ...words('ａｐｉ.example.com api.ｅxample.com api.example.ⅽom'),
    'api.example.com\u0338',
    ...words('api.éxample.com xn--.com xn--example-.com xn--xample-9of.com'),
    'ex\u0430mple.com',
    '☃.example.com',
    '\ud800.example.com',
    // Numbers: decimal, octal, hexadecimal, short forms, and hosts that end in one.
    ...words('2130706433 017700000001 0x7f000001 0x7f.1 127.1 127.0.1 0 0.0.0.0 1 010.0.0.1 0x0a000001'),
    ...words(
      '10.0.0.1 172.16.0.1 192.168.1.1 169.254.169.254 100.64.0.1 224.0.0.1 255.255.255.255 1.2.3.4.5',
    ),
    ...words(
      '127.0.0.0x1 127.0.0.0X1 1.2.3.0x evil.0x7f example.com.0x7f 127.0.0.01 127.0.0.1. 256.256.256.256',
    ),
    ...words(
      '127.0.0.1 127.0.0.1:443 127.0.0.1:4010 127.0.0.2:4010 localhost localhost:4010 localhost. LOCALHOST:1',
    ),
    ...[
      'api.localhost',
      'localhost.localdomain',
      'metadata.google.internal',
      'ip6-localhost',
      'broadcasthost',
    ],
    // IPv6, with zones, embedded IPv4, and brackets that do not match.
    ...words('::1 [::1] [::1]:4010 [::1%25lo] [::1%lo]:80 [fe80::1%25eth0] [fe80::1%eth0] [::] [::]:80'),
    ...words(
      '[::ffff:127.0.0.1] [::ffff:7f00:1]:80 [64:ff9b::7f00:1] [2002:7f00:1::] [fc00::1] [::127.0.0.1]',
    ),
    ...words(
      '[::1 ::1] [api.example.com] [example.com]:443 [] [v1.example.com] [::1].example.com [::1]api.example.com',
    ),
    // What a template, a shell or a header would make of it.
    ...each(['${', '{{', '$(', '`', '<', '"', "'", '\\u0000', '%', '%%', '%zz'], ['api.example.com']),
    ...each(good, words(`} > " ' \\ % %zz %00 $ * ( ) [ ] { ~ ! = + ,`)),
    ...words('null undefined true NaN __proto__ constructor toString ../example.com ./example.com'),
    '[object Object]',
  ]),
];

/** What may be used, after it was put into small letters. */
export const friendlyHosts: readonly (readonly [host: string, used: string])[] = [
  ['example.com', 'example.com'],
  ['api.example.com', 'api.example.com'],
  ['API.Example.COM', 'api.example.com'],
  ['a.b-c.d0.example.com', 'a.b-c.d0.example.com'],
  ['xn--bcher-kva.example.com', 'xn--bcher-kva.example.com'],
  ['1.example.com', '1.example.com'],
];
