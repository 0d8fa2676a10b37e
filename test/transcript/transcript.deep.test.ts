// Plays the transcripts that transcript.test.ts leaves out. Then each again, without what is only assumed of the service, on which
// the program may not depend: the quick suite's with processes.

import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { describe, test } from 'node:test';
import { play, readTranscripts, type Transcript } from './play.ts';

const transcripts = await readTranscripts();

describe('transcripts', () => {
  for (const transcript of transcripts) {
    const { name, skip, isDeep } = transcript;
    if (!isDeep) continue;
    test(name, { skip }, (context) => play(context, transcript, { isInside: true }));
    testBare(transcript, { isInside: true });
  }
});

// All at once, each with its emulator, would leave none of them the processor for seconds.
describe('transcripts', { concurrency: 2 * availableParallelism() }, () => {
  for (const transcript of transcripts) if (!transcript.isDeep) testBare(transcript, { isInside: false });
});

function testBare(transcript: Transcript, { isInside }: { isInside: boolean }) {
  const { name, session, skip } = transcript;
  const options = { bare: true, isInside };
  if (session.with.includes('bare')) return;
  if (!session.with.includes('assumed'))
    test(`${name}, with --bare`, { skip }, (context) => play(context, transcript, options));
  // A transcript marked `assumed` must fail with --bare; otherwise the mark is wrong.
  else
    test(`${name}, with --bare: fails, since it shows assumed behaviour`, { skip }, (context) =>
      assert.rejects(() => play(context, transcript, options)),
    );
}
