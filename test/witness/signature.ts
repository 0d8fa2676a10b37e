// HMAC-SHA256 values worked out outside Node, for signing deliveries and answering the handshake. Each hex is
// the output of: printf '%b' "$body" | openssl dgst -sha256 -hmac "$secret"   (text and key as UTF-8 bytes).
// The first row is also test case 2 of RFC 4231. That signatures are sent as hex is seen in the wild, not in
// the contract. Comparing, and the order of the receiver's checks, are left to others.

export interface SignedBody {
  readonly secret: string;
  readonly body: string;
  /** X-Hook-Signature of that body. */
  readonly hex: string;
}

export interface AnsweredChallenge {
  readonly secret: string;
  /** X-Hook-Secret as received. */
  readonly challenge: string;
  /** X-Hook-Secret of the answer. */
  readonly hex: string;
}

type Row = readonly [secret: string, text: string, hex: string];

const signed: readonly Row[] = [
  [
    'Jefe',
    'what do ya want for nothing?',
    '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
  ],
  ['s3cret', '', '91dfac70c5348b04e1babb8b421ac92cec08b565b49ca16130dccb72503647b7'],
  [
    's3cret',
    '{"requestType":"WebHook secret verification"}',
    '8a374d555f955231ec7c259e7237143ad5dfd3932d81bfa37d83c5b98c605c1c',
  ],
  [
    's3cret',
    '{"requestType": "WebHook secret verification"}',
    'd6c89de925de6aaf6929159ae1ca56568d7bee8412be6da6431c0669742b794a',
  ],
  ['s3cret', '[]', '920fbe8da6e51cf8315bd3ce5b63be1439ac418df0cd2abbf6e304e43b71eff9'],
  [
    's3cret',
    '[{"webhookId":"IEAAAAAQJAAAAAAB","eventAuthorId":"KUAAAAAA","eventType":"TaskStatusChanged",' +
      '"lastUpdatedDate":"2026-01-05T09:00:00Z","taskId":"IEAAAAAQKQAB5BNG","oldStatus":"Active",' +
      '"status":"Completed"}]',
    'e10d2ff91b2c9773bd07e88e5778f79e620a19f04491bb2e22f206f6347ca02b',
  ],
  [
    's3cret',
    '[{"eventType":"TaskTitleChanged","title":"Zażółć 日本語 🎉"}]',
    'e164843dba8847bb301f676ee90792124352126ccd159e4616efb6590454cddd',
  ],
  [
    's3cret',
    '[\n  {\n    "eventType": "TaskDeleted"\n  }\n]\n',
    '781fd539b41927e053592817e6818428e95b6c39d4f5722da2d42e4794204d74',
  ],
  ['s3cret', 'a\r\nb', '024714152fcac1cb5ebd6bead32df1fdd56d0ba58c4b1160843652b06b4fb286'],
  [
    'clé-日本-🔑',
    '{"requestType":"WebHook secret verification"}',
    '6948e226792fd8fdba40736c88f26b8b63bffbb921aeaea406e108ecb70a9fa7',
  ],
  ['clé-日本-🔑', 'Zażółć 日本語 🎉', '41c4387285c25e0293fb5868b00f1beae95cf61b1d00adfe1b8cb2a9f89d6ddf'],
  ['two words & "quotes"', '[]', 'a127f07bbde5f082cc609b02127e584b179da1ab2918fc9d2c5d6ad5dbd30aa9'],
  // A key of exactly one block, and one byte more (hashed first).
  [
    '0123456789012345678901234567890123456789012345678901234567890123',
    '[]',
    '6e2c123670b84a64e9c20ddb96c5717957a40393ab40448d595f656fac159f09',
  ],
  [
    '01234567890123456789012345678901234567890123456789012345678901234',
    '[]',
    '6f76d3388bf17c55de8cb646c173a23ea52c9f2148b56cfdbe84cc7a6f925001',
  ],
];

export const signatures: readonly SignedBody[] = signed.map(([secret, body, hex]) => ({ secret, body, hex }));

const answered: readonly Row[] = [
  ['s3cret', 'a', '867f0987c003fefc53050cb183cab08542541d365bd4b3e7b2b114744c2a9001'],
  [
    's3cret',
    'Hf7Ks02mQzX9Lp4RtVb8Nc6WdYg1Jj3E',
    '562e75ead14176f769b241a746afb56060476b248633c1f4984b6d2613823046',
  ],
  [
    's3cret',
    'hf7ks02mqzx9lp4rtvb8nc6wdyg1jj3e',
    '5fd6e3002267b2ae0dceba986f753c1a2b1eedd6d254fcaa452b1e7fe4c36807',
  ],
  // The longest challenge that may be answered: 100 characters.
  [
    's3cret',
    '01234567890123456789012345678901234567890123456789' +
      '01234567890123456789012345678901234567890123456789',
    '331ca8b61e745d30db3d765c6103163b284b822038bd156a76753d3cafdd3995',
  ],
  [
    'clé-日本-🔑',
    'Hf7Ks02mQzX9Lp4RtVb8Nc6WdYg1Jj3E',
    '4b2412dd77f829601f2d39d5a7598012381bd07d4f8521bfc551ea37e80107ac',
  ],
];

export const handshakes: readonly AnsweredChallenge[] = answered.map(([secret, challenge, hex]) => ({
  secret,
  challenge,
  hex,
}));

/** Challenges that a receiver should not sign: JSON's own characters in them, or 101 characters long. */
export const challengesToRefuse: readonly string[] = [
  '{}',
  '[]',
  '[{"eventType":"TaskDeleted"}]',
  'abc"def',
  'abc{def',
  'abc}def',
  'abc[def',
  'abc]def',
  'abc:def',
  'abc,def',
  'abc\\def',
  'x'.repeat(101),
];

/** Header names of the handshake and of deliveries, as the contract spells them. */
export const headers = {
  signature: 'X-Hook-Signature',
  secret: 'X-Hook-Secret',
  idempotencyKey: 'Idempotency-Key',
} as const;

/** The only member of the handshake's body. Its text is not shown. */
export const handshakeField = 'requestType';
