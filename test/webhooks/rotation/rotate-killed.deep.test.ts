// `wm webhook rotate-secret`, killed at each of its requests, to the service and to the receiver, and run again with the same
// arguments: the state is the same each time, with one successor.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { modes, play } from './killed-rotations.ts';
import { rotating } from './rotating.ts';

for (const mode of modes) {
  test(`killed at each request, and run again: ${mode.name}`, async (context) => {
    const service = await rotating(context, { mode: mode.bare ? 'bare' : 'default' });
    const complete = await play(service, mode, 'whole');
    const isOfReceiver = (request: string) => !request.includes('/api/v4/');
    assert.ok(
      complete.requests.filter((request) => !isOfReceiver(request)).length >= 6,
      complete.requests.join('\n'),
    );
    assert.equal(complete.requests.some(isOfReceiver), mode.verifies);
    for (const [index, request] of complete.requests.entries()) {
      // A request to the receiver changes no state, so a kill after it adds nothing.
      for (const when of isOfReceiver(request) ? (['before'] as const) : (['before', 'after'] as const)) {
        const kill = { at: index + 1, when };
        const { state } = await play(service, mode, `hook-${index}-${when}`, kill);
        assert.deepEqual(state, complete.state, `killed ${when} request ${index + 1}: ${request}`);
      }
    }
  });
}
