// A journal that one of the first builds wrote, with the path and the headers of a delivery as JSON: an update of wm must lose
// nothing of what waits there.

import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync } from 'node:zlib';
import { journalFolder, open } from './journal-tools.ts';

/** Its only segment, with one delivery that was printed. */
const segment = [
  'H4sIAAAAAAACA41ST4vTQBSPige/giedg8jSbDPZNNMUZGkXsWVFXFxBDAWnmdd2ts1MzExbaunqd1Bvnj25X0EEQfHu0bsnYcFL',
  'LwVfsu7qggcnhyTv/f68+c3M0gNaO17feJn+SB87jnPBOV3H23/eL66uDj82nfvxOr32rHW+v3ru/OeKu7Pfbj+/fDCv0eri327e',
  'ifrN9afrR+0r376+//757eGrVRVxC5JxOyQNUh1qPdpWtyipkCFwAbkhjTgmbW0slqjPNj18aCMIGCPdSkyaSQJZ0duobpSFHa0s',
  'KOvuzzPAMs+ysUy4lVpVD4xWJeahgdxtDhCGCAFjOYVcgqnSTa/sdwSkmUaZZO7uwhxBI5i7tOw9cts4o/tADhS3k7zwqEV9ynyv',
  'znkvTHivHoWcs34YBrBFQwgYJBENBPichkzQqM+AB70a9wIW1Fkits7NfRfUALNAVdxgt0LMmVGDTPlYCrK8jIGWA8ULAlMklXtt',
  'kH1uRjs5cAsC+Rb/OgLLndvNYu3t7jVbtda9O2R5dlBHT9Sbd6h26R/XYkFGUhV8bi3GUURl4OkEQ0EvivoyLT5YVAsoDUPfZ35h',
  'mg/AIinLZZnuKblg6IlNdEE66ZZTpnI8lgYSrYQpQXgUQiaFRF/nM56LEtaXSpohIMTmE1j+AswMMILXAgAA',
];

test('a journal of the first builds is read back unchanged', async (context) => {
  const folder = await journalFolder(context);
  await mkdir(folder);
  await writeFile(join(folder, '0000000001.journal'), gunzipSync(Buffer.from(segment.join(''), 'base64')));
  const { journal, report } = await open(folder);
  assert.deepEqual(report.findings, []);
  const stored = await journal.read(1);
  assert.ok(stored);
  assert.deepEqual(
    { ...stored, body: Buffer.from(stored.body).toString() },
    {
      sequence: 1,
      receivedAt: 1_795_411_662_259,
      path: '/hook?n=1',
      headers: [
        ['Host', '127.0.0.1:4477'],
        ['Accept', '*/*'],
        ['Content-Type', 'application/json'],
        ['User-Agent', 'deliveries/1.0'],
        ['Idempotency-Key', 'key-1'],
        ['X-Hook-Signature', '59f17208aab6cab896aa7f664e316e47ec914de2a167d19f7ea4b5a047487cd3'],
        ['Content-Length', '57'],
      ],
      body: '[{"eventType":"TaskCreated","taskId":"IEAAAAAQKQAB5BNG"}]',
      idempotencyKey: 'key-1',
      signature: 'valid',
    },
  );
  await journal.close();
});
