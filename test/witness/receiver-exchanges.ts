// What a receiver gets and what it responds, byte for byte, for the secrets "s3cret" and "old0ne". Each hex was worked out
// outside Node: printf '%b' "$body" | openssl dgst -sha256 -hmac "$secret". Lines end with CRLF; the header Date is left out.

export interface ReceiverExchange {
  readonly about: string;
  /** What the request is taken for; why, if it is rejected. */
  readonly result: 'handshake' | 'delivery' | 'no-signature' | 'bad-signature' | 'bad-challenge';
  /** The lines of the request before its body. */
  readonly head: readonly string[];
  readonly body: string;
  readonly response: readonly string[];
}

export const receiverSecrets = ['s3cret', 'old0ne'];

const handshake = '{"requestType":"WebHook secret verification"}';
const deletion =
  '[{"webhookId":"IEAAAAAQJAAAAAAB","eventAuthorId":"KUAAAAAA","eventType":"TaskDeleted","lastUpdatedDate":"2026-01-05T09:00:00Z","taskId":"IEAAAAAQKQAB5BNG"}]';

const challenge = 'X-Hook-Secret: Hf7Ks02mQzX9Lp4RtVb8Nc6WdYg1Jj3E';
const signed = (hex: string) => `X-Hook-Signature: ${hex}`;

type Headers = readonly string[];

/** Proved with the X-Hook-Secret that comes last. */
const handshakes: readonly (readonly [about: string, Headers, body: string, proof: string])[] = [
  [
    'a handshake',
    [challenge, signed('8a374d555f955231ec7c259e7237143ad5dfd3932d81bfa37d83c5b98c605c1c')],
    handshake,
    '562e75ead14176f769b241a746afb56060476b248633c1f4984b6d2613823046',
  ],
  [
    'a handshake with the other secret',
    [challenge, signed('50f59a16cd0fc89badc2395e71235c25ca4af2525222a26675efb82f45ade1e8')],
    handshake,
    '8354ab46f473554c044e701766c362fe05d46199a92151d58c8b6bf5b6696afa',
  ],
  [
    'a handshake, its signature in upper case',
    [challenge, signed('8A374D555F955231EC7C259E7237143AD5DFD3932D81BFA37D83C5B98C605C1C')],
    handshake,
    '562e75ead14176f769b241a746afb56060476b248633c1f4984b6d2613823046',
  ],
  [
    'a handshake, pretty-printed',
    [challenge, signed('230d7dad8a4d9f85e970fb9c031dc3c103067b9aa1d7eefe990fd234b0eabf2f')],
    '{\n  "requestType" : "WebHook secret verification"\n}\n',
    '562e75ead14176f769b241a746afb56060476b248633c1f4984b6d2613823046',
  ],
  [
    'a handshake in a list',
    [challenge, signed('8f92680b5e67f44da78f1613289af1ef91db75113d6c27baad82cb5fdabcc3ee')],
    '[{"requestType":"WebHook secret verification"}]',
    '562e75ead14176f769b241a746afb56060476b248633c1f4984b6d2613823046',
  ],
  [
    'a handshake with another text',
    [
      'x-hook-secret: Hf7Ks02mQzX9Lp4RtVb8Nc6WdYg1Jj3E',
      'x-hook-signature: 5f297def7a6742134327964b6146ab623c504ac145d6bd4bcdda24d37f8a0d0e',
    ],
    '{"requestType":"anything else"}',
    '562e75ead14176f769b241a746afb56060476b248633c1f4984b6d2613823046',
  ],
  [
    'the longest challenge',
    [
      'X-Hook-Secret: 0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789',
      signed('8a374d555f955231ec7c259e7237143ad5dfd3932d81bfa37d83c5b98c605c1c'),
    ],
    handshake,
    '331ca8b61e745d30db3d765c6103163b284b822038bd156a76753d3cafdd3995',
  ],
];

/** Accepted with an empty response. */
const deliveries: readonly (readonly [about: string, Headers, body: string])[] = [
  [
    'a delivery',
    ['Idempotency-Key: 7d3c', signed('254a1a561af4ea3310042df3f446d484ae22a1c4b10a962ba30eb97e1ebdd6b2')],
    deletion,
  ],
  [
    'a delivery with the other secret',
    [signed('47d7030f9546ec160c36e19023011620b87a38cbadfa8c663d45272b31331c16')],
    deletion,
  ],
  [
    'a delivery, its signature in upper case',
    [signed('254A1A561AF4EA3310042DF3F446D484AE22A1C4B10A962BA30EB97E1EBDD6B2')],
    deletion,
  ],
  [
    'a delivery that carries X-Hook-Secret',
    [challenge, signed('254a1a561af4ea3310042df3f446d484ae22a1c4b10a962ba30eb97e1ebdd6b2')],
    deletion,
  ],
  [
    'a delivery of a single object',
    [signed('7c572fa442ead06a9b2adc04ca6bd14b0a77cc5bdc6a9de79a8e85a5dae15b77')],
    '{"webhookId":"IEAAAAAQJAAAAAAB","eventAuthorId":"KUAAAAAA","eventType":"FolderDeleted","lastUpdatedDate":"2026-01-05T09:00:00Z","folderId":"IEAAAAAQI4AB5BNG"}',
  ],
  [
    'a delivery, pretty-printed',
    [signed('fd97148300bee3cfaed23699dcfb55f655319f68b8371b09a810c26f9879b9fe')],
    '[\n  {\n    "webhookId": "IEAAAAAQJAAAAAAB",\n    "eventType": "CommentAdded",\n    "comment": { "text": "Zażółć" }\n  }\n]\n',
  ],
  [
    'a delivery with a requestType among other fields',
    [challenge, signed('e9f1d31a0fdf5b0f97eff72442f130ec68494b0118e3945ec49856197f994864')],
    '{"requestType":"WebHook secret verification","eventType":"TaskDeleted"}',
  ],
  [
    'a delivery that is no JSON',
    [signed('3c7c1ed8e60fab008ccaad638c26bfabdd0108364a70a190f6ffbf97e12bcc4f')],
    'not JSON at all',
  ],
  [
    'a delivery without a body',
    [signed('91dfac70c5348b04e1babb8b421ac92cec08b565b49ca16130dccb72503647b7')],
    '',
  ],
];

const rejections: readonly (readonly [ReceiverExchange['result'], about: string, Headers, body: string])[] = [
  [
    'bad-challenge',
    'a challenge of 101 characters',
    [
      'X-Hook-Secret: 01234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890',
      signed('8a374d555f955231ec7c259e7237143ad5dfd3932d81bfa37d83c5b98c605c1c'),
    ],
    handshake,
  ],
  [
    'bad-challenge',
    'a challenge that is a body',
    [
      'X-Hook-Secret: [{"webhookId":"IEAAAAAQJAAAAAAB","eventAuthorId":"KUAAAAAA","eventType":"TaskDeleted","lastUpdatedDate":"2026-01-05T09:00:00Z","taskId":"IEAAAAAQKQAB5BNG"}]',
      signed('8a374d555f955231ec7c259e7237143ad5dfd3932d81bfa37d83c5b98c605c1c'),
    ],
    handshake,
  ],
  [
    'bad-challenge',
    'a handshake without a challenge',
    [signed('8a374d555f955231ec7c259e7237143ad5dfd3932d81bfa37d83c5b98c605c1c')],
    handshake,
  ],
  ['no-signature', 'a handshake without a signature', [challenge], handshake],
  [
    'bad-signature',
    'a handshake with the signature of its challenge',
    [challenge, signed('562e75ead14176f769b241a746afb56060476b248633c1f4984b6d2613823046')],
    handshake,
  ],
  ['no-signature', 'a delivery without a signature', [challenge], deletion],
  [
    'bad-signature',
    'a delivery with the signature of another body',
    [signed('7c572fa442ead06a9b2adc04ca6bd14b0a77cc5bdc6a9de79a8e85a5dae15b77')],
    deletion,
  ],
  [
    'bad-signature',
    'a delivery with the signature of a third secret',
    [signed('0d311808873386808e706b3ac5553087a933f627ac7aa19548dd7c80ad7baf14')],
    deletion,
  ],
  [
    'bad-signature',
    'a delivery with half a signature',
    [signed('254a1a561af4ea3310042df3f446d484')],
    deletion,
  ],
];

function exchange(
  result: ReceiverExchange['result'],
  [about, headers, body]: readonly [about: string, Headers, body: string],
  [status, ...more]: readonly string[],
): ReceiverExchange {
  const head = [
    'POST /hook HTTP/1.1',
    'Host: hooks.example.com',
    'Content-Type: application/json',
    ...headers,
  ];
  const length = `Content-Length: ${Buffer.byteLength(body)}`;
  return {
    ...{ about, result, body },
    head: [...head, length, 'Connection: close'],
    response: [`HTTP/1.1 ${status}`, 'Content-Length: 0', ...more, 'Connection: close'],
  };
}

export const receiverExchanges: readonly ReceiverExchange[] = [
  ...handshakes.map(([about, headers, body, proof]) =>
    exchange('handshake', [about, headers, body], ['200 OK', `X-Hook-Secret: ${proof}`]),
  ),
  ...deliveries.map((row) => exchange('delivery', row, ['200 OK'])),
  ...rejections.map(([code, ...row]) =>
    exchange(code, row, ['503 Service Unavailable', `X-Wm-Rejected: ${code}`]),
  ),
];
