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

/** An exchange without the lines that are the same in every request. */
interface Written extends Omit<ReceiverExchange, 'head'> {
  readonly headers: readonly string[];
}

export const receiverSecrets = ['s3cret', 'old0ne'];

const handshake = '{"requestType":"WebHook secret verification"}';
const deletion =
  '[{"webhookId":"IEAAAAAQJAAAAAAB","eventAuthorId":"KUAAAAAA","eventType":"TaskDeleted","lastUpdatedDate":"2026-01-05T09:00:00Z","taskId":"IEAAAAAQKQAB5BNG"}]';

const accepted = ['HTTP/1.1 200 OK', 'Content-Length: 0', 'Connection: close'];
const rejected = (code: string) => [
  'HTTP/1.1 503 Service Unavailable',
  'Content-Length: 0',
  `X-Wm-Rejected: ${code}`,
  'Connection: close',
];
const proof = (hex: string) => [
  'HTTP/1.1 200 OK',
  'Content-Length: 0',
  `X-Hook-Secret: ${hex}`,
  'Connection: close',
];

const written: readonly Written[] = [
  {
    about: 'a handshake',
    result: 'handshake',
    headers: [
      'X-Hook-Secret: Hf7Ks02mQzX9Lp4RtVb8Nc6WdYg1Jj3E',
      'X-Hook-Signature: 8a374d555f955231ec7c259e7237143ad5dfd3932d81bfa37d83c5b98c605c1c',
    ],
    body: handshake,
    response: proof('562e75ead14176f769b241a746afb56060476b248633c1f4984b6d2613823046'),
  },
  {
    about: 'a handshake with the other secret',
    result: 'handshake',
    headers: [
      'X-Hook-Secret: Hf7Ks02mQzX9Lp4RtVb8Nc6WdYg1Jj3E',
      'X-Hook-Signature: 50f59a16cd0fc89badc2395e71235c25ca4af2525222a26675efb82f45ade1e8',
    ],
    body: handshake,
    response: proof('8354ab46f473554c044e701766c362fe05d46199a92151d58c8b6bf5b6696afa'),
  },
  {
    about: 'a handshake, its signature in upper case',
    result: 'handshake',
    headers: [
      'X-Hook-Secret: Hf7Ks02mQzX9Lp4RtVb8Nc6WdYg1Jj3E',
      'X-Hook-Signature: 8A374D555F955231EC7C259E7237143AD5DFD3932D81BFA37D83C5B98C605C1C',
    ],
    body: handshake,
    response: proof('562e75ead14176f769b241a746afb56060476b248633c1f4984b6d2613823046'),
  },
  {
    about: 'a handshake, pretty-printed',
    result: 'handshake',
    headers: [
      'X-Hook-Secret: Hf7Ks02mQzX9Lp4RtVb8Nc6WdYg1Jj3E',
      'X-Hook-Signature: 230d7dad8a4d9f85e970fb9c031dc3c103067b9aa1d7eefe990fd234b0eabf2f',
    ],
    body: '{\n  "requestType" : "WebHook secret verification"\n}\n',
    response: proof('562e75ead14176f769b241a746afb56060476b248633c1f4984b6d2613823046'),
  },
  {
    about: 'a handshake in a list',
    result: 'handshake',
    headers: [
      'X-Hook-Secret: Hf7Ks02mQzX9Lp4RtVb8Nc6WdYg1Jj3E',
      'X-Hook-Signature: 8f92680b5e67f44da78f1613289af1ef91db75113d6c27baad82cb5fdabcc3ee',
    ],
    body: '[{"requestType":"WebHook secret verification"}]',
    response: proof('562e75ead14176f769b241a746afb56060476b248633c1f4984b6d2613823046'),
  },
  {
    about: 'a handshake with another text',
    result: 'handshake',
    headers: [
      'x-hook-secret: Hf7Ks02mQzX9Lp4RtVb8Nc6WdYg1Jj3E',
      'x-hook-signature: 5f297def7a6742134327964b6146ab623c504ac145d6bd4bcdda24d37f8a0d0e',
    ],
    body: '{"requestType":"anything else"}',
    response: proof('562e75ead14176f769b241a746afb56060476b248633c1f4984b6d2613823046'),
  },
  {
    about: 'the longest challenge',
    result: 'handshake',
    headers: [
      'X-Hook-Secret: 0123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890123456789',
      'X-Hook-Signature: 8a374d555f955231ec7c259e7237143ad5dfd3932d81bfa37d83c5b98c605c1c',
    ],
    body: handshake,
    response: proof('331ca8b61e745d30db3d765c6103163b284b822038bd156a76753d3cafdd3995'),
  },
  {
    about: 'a challenge of 101 characters',
    result: 'bad-challenge',
    headers: [
      'X-Hook-Secret: 01234567890123456789012345678901234567890123456789012345678901234567890123456789012345678901234567890',
      'X-Hook-Signature: 8a374d555f955231ec7c259e7237143ad5dfd3932d81bfa37d83c5b98c605c1c',
    ],
    body: handshake,
    response: rejected('bad-challenge'),
  },
  {
    about: 'a challenge that is a body',
    result: 'bad-challenge',
    headers: [
      'X-Hook-Secret: [{"webhookId":"IEAAAAAQJAAAAAAB","eventAuthorId":"KUAAAAAA","eventType":"TaskDeleted","lastUpdatedDate":"2026-01-05T09:00:00Z","taskId":"IEAAAAAQKQAB5BNG"}]',
      'X-Hook-Signature: 8a374d555f955231ec7c259e7237143ad5dfd3932d81bfa37d83c5b98c605c1c',
    ],
    body: handshake,
    response: rejected('bad-challenge'),
  },
  {
    about: 'a handshake without a challenge',
    result: 'bad-challenge',
    headers: ['X-Hook-Signature: 8a374d555f955231ec7c259e7237143ad5dfd3932d81bfa37d83c5b98c605c1c'],
    body: handshake,
    response: rejected('bad-challenge'),
  },
  {
    about: 'a handshake without a signature',
    result: 'no-signature',
    headers: ['X-Hook-Secret: Hf7Ks02mQzX9Lp4RtVb8Nc6WdYg1Jj3E'],
    body: handshake,
    response: rejected('no-signature'),
  },
  {
    about: 'a handshake with the signature of its challenge',
    result: 'bad-signature',
    headers: [
      'X-Hook-Secret: Hf7Ks02mQzX9Lp4RtVb8Nc6WdYg1Jj3E',
      'X-Hook-Signature: 562e75ead14176f769b241a746afb56060476b248633c1f4984b6d2613823046',
    ],
    body: handshake,
    response: rejected('bad-signature'),
  },
  {
    about: 'a delivery',
    result: 'delivery',
    headers: [
      'Idempotency-Key: 7d3c',
      'X-Hook-Signature: 254a1a561af4ea3310042df3f446d484ae22a1c4b10a962ba30eb97e1ebdd6b2',
    ],
    body: deletion,
    response: accepted,
  },
  {
    about: 'a delivery with the other secret',
    result: 'delivery',
    headers: ['X-Hook-Signature: 47d7030f9546ec160c36e19023011620b87a38cbadfa8c663d45272b31331c16'],
    body: deletion,
    response: accepted,
  },
  {
    about: 'a delivery, its signature in upper case',
    result: 'delivery',
    headers: ['X-Hook-Signature: 254A1A561AF4EA3310042DF3F446D484AE22A1C4B10A962BA30EB97E1EBDD6B2'],
    body: deletion,
    response: accepted,
  },
  {
    about: 'a delivery that carries X-Hook-Secret',
    result: 'delivery',
    headers: [
      'X-Hook-Secret: Hf7Ks02mQzX9Lp4RtVb8Nc6WdYg1Jj3E',
      'X-Hook-Signature: 254a1a561af4ea3310042df3f446d484ae22a1c4b10a962ba30eb97e1ebdd6b2',
    ],
    body: deletion,
    response: accepted,
  },
  {
    about: 'a delivery of a single object',
    result: 'delivery',
    headers: ['X-Hook-Signature: 7c572fa442ead06a9b2adc04ca6bd14b0a77cc5bdc6a9de79a8e85a5dae15b77'],
    body: '{"webhookId":"IEAAAAAQJAAAAAAB","eventAuthorId":"KUAAAAAA","eventType":"FolderDeleted","lastUpdatedDate":"2026-01-05T09:00:00Z","folderId":"IEAAAAAQI4AB5BNG"}',
    response: accepted,
  },
  {
    about: 'a delivery, pretty-printed',
    result: 'delivery',
    headers: ['X-Hook-Signature: fd97148300bee3cfaed23699dcfb55f655319f68b8371b09a810c26f9879b9fe'],
    body: '[\n  {\n    "webhookId": "IEAAAAAQJAAAAAAB",\n    "eventType": "CommentAdded",\n    "comment": { "text": "Zażółć" }\n  }\n]\n',
    response: accepted,
  },
  {
    about: 'a delivery with a requestType among other fields',
    result: 'delivery',
    headers: [
      'X-Hook-Secret: Hf7Ks02mQzX9Lp4RtVb8Nc6WdYg1Jj3E',
      'X-Hook-Signature: e9f1d31a0fdf5b0f97eff72442f130ec68494b0118e3945ec49856197f994864',
    ],
    body: '{"requestType":"WebHook secret verification","eventType":"TaskDeleted"}',
    response: accepted,
  },
  {
    about: 'a delivery that is no JSON',
    result: 'delivery',
    headers: ['X-Hook-Signature: 3c7c1ed8e60fab008ccaad638c26bfabdd0108364a70a190f6ffbf97e12bcc4f'],
    body: 'not JSON at all',
    response: accepted,
  },
  {
    about: 'a delivery without a body',
    result: 'delivery',
    headers: ['X-Hook-Signature: 91dfac70c5348b04e1babb8b421ac92cec08b565b49ca16130dccb72503647b7'],
    body: '',
    response: accepted,
  },
  {
    about: 'a delivery without a signature',
    result: 'no-signature',
    headers: ['X-Hook-Secret: Hf7Ks02mQzX9Lp4RtVb8Nc6WdYg1Jj3E'],
    body: deletion,
    response: rejected('no-signature'),
  },
  {
    about: 'a delivery with the signature of another body',
    result: 'bad-signature',
    headers: ['X-Hook-Signature: 7c572fa442ead06a9b2adc04ca6bd14b0a77cc5bdc6a9de79a8e85a5dae15b77'],
    body: deletion,
    response: rejected('bad-signature'),
  },
  {
    about: 'a delivery with the signature of a third secret',
    result: 'bad-signature',
    headers: ['X-Hook-Signature: 0d311808873386808e706b3ac5553087a933f627ac7aa19548dd7c80ad7baf14'],
    body: deletion,
    response: rejected('bad-signature'),
  },
  {
    about: 'a delivery with half a signature',
    result: 'bad-signature',
    headers: ['X-Hook-Signature: 254a1a561af4ea3310042df3f446d484'],
    body: deletion,
    response: rejected('bad-signature'),
  },
];

export const receiverExchanges: readonly ReceiverExchange[] = written.map(({ headers, ...exchange }) => ({
  ...exchange,
  head: [
    'POST /hook HTTP/1.1',
    'Host: hooks.example.com',
    'Content-Type: application/json',
    ...headers,
    `Content-Length: ${Buffer.byteLength(exchange.body)}`,
    'Connection: close',
  ],
}));
