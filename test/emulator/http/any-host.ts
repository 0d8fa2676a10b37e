// Property: the emulator answers to no name but those of loopback. Few runs are quick and many are deep.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sendRaw } from '#test/support/service/control.ts';
import { started } from '#test/support/service/start-emulator.ts';

/** Declares the test, with so many runs. */
export function testAnyHost(runs: number): void {
  test('rejects any Host that is not a loopback name', async (t) => {
    const emulator = await started(t);
    const { hostname, port } = new URL(emulator.authUrl);
    const label = fc.stringMatching(/^[a-z0-9-]{1,10}$/);
    const near = fc.constantFrom(
      ...'localhost 127.0.0.1 [::1] 127.1 0x7f.1 2130706433 [::ffff:127.0.0.1]'.split(' '),
    );
    const host = fc
      .tuple(
        fc.option(label),
        fc.constantFrom('', '.', '-', '@', '%00', '\\'),
        near,
        fc.constantFrom('', '.', 'x', ':1:2', '\t'),
      )
      .map(([before, mark, name, after]) => `${before ?? ''}${mark}${name}${after}`.trim())
      .filter((text) => !/^(?:localhost|127\.0\.0\.1|\[::1\])$/.test(text));
    await fc.assert(
      fc.asyncProperty(host, async (name) => {
        const path = `/api/v4/account?access_token=${emulator.token}`;
        const { status } = await sendRaw({ hostname, port, method: 'GET', path, headers: { Host: name } });
        assert.equal(status, 403, name);
      }),
      { numRuns: runs },
    );
  });
}
