// Plays the transcripts that transcript.test.ts leaves out.

import { describe, test } from 'node:test';
import { play, readTranscripts } from './play.ts';

const transcripts = await readTranscripts();

describe('transcripts', () => {
  for (const transcript of transcripts) {
    const { name, skip, isDeep } = transcript;
    if (isDeep) test(name, { skip }, (context) => play(context, transcript, { isInside: true }));
  }
});
