// Plays each transcript again, without what is only assumed of the service, on which the program may not depend: those of the quick
// suite with processes.

import assert from 'node:assert/strict';
import { availableParallelism } from 'node:os';
import { describe, test } from 'node:test';
import { play, readTranscripts, type Transcript } from './play.ts';

const transcripts = (await readTranscripts()).filter(({ session }) => !session.with.includes('bare'));

describe('transcripts', () => {
  for (const transcript of transcripts) if (transcript.isDeep) testBare(transcript, { isInside: true });
});

// All at once, each with its emulator, would leave none of them the processor for seconds.
describe('transcripts', { concurrency: 2 * availableParallelism() }, () => {
  for (const transcript of transcripts) if (!transcript.isDeep) testBare(transcript, { isInside: false });
});

function testBare(transcript: Transcript, { isInside }: { isInside: boolean }): void {
  const { name, session, skip } = transcript;
  const options = { bare: true, isInside };
  if (!session.with.includes('assumed'))
    test(`${name}, with --bare`, { skip }, (context) => play(context, transcript, options));
  // A transcript marked `assumed` must fail with --bare; otherwise the mark is wrong.
  else
    test(`${name}, with --bare: fails, since it shows assumed behaviour`, { skip }, (context) =>
      assert.rejects(() => play(context, transcript, options)),
    );
}
