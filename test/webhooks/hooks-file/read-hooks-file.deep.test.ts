// A file of webhooks with very many keys, which takes seconds.

import { testRejected } from './rejected-file.ts';

testRejected(
  'a hundred thousand keys',
  Array.from({ length: 100_000 }, (_, index) => `k${index}: 1`).join('\n'),
);
