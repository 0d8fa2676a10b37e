// Hosts in WM_HOST and names of profiles that are hostile, or random: as many as each suite has time for.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Failure } from '../../src/failure.ts';
import { isHost } from '../../src/login/host.ts';
import { parseProfileName } from '../../src/login/profile.ts';
import { run } from '../program.ts';
import { hostileHosts } from './hostile-hosts.ts';

/** `step`: tries every so many of the hosts; 1 for each. */
export function testHostVariable(step: number): void {
  test('as WM_HOST, what is no host is rejected before anything is sent', async () => {
    // A well-formed stranger is the user's own choice there; so only what is no host counts.
    // A line break at the end of a variable is removed.
    const noHosts = hostileHosts.filter((host) => !isHost(host.replace(/[\r\n]+$/, '')));
    const chosen = noHosts.filter((_, at) => at % step === 0);
    for (const host of chosen) {
      let sent = 0;
      const http = {
        async send() {
          sent++;
          return { fault: 'unreachable', sent: false, detail: 'a request' } as const;
        },
      };
      const ran = await run(['whoami'], {
        environment: { WM_TOKEN: 'canary', WM_HOST: host },
        world: { http },
      });
      assert.equal(ran.status, 2, JSON.stringify(host));
      assert.match(ran.errors, /^wm: WM_HOST/);
      assert.equal(sent, 0);
    }
    assert.ok(chosen.length > 400 / step, `${chosen.length}`);
  });
}

export function testProfileNames(numRuns: number): void {
  test('whatever the name: it is a plain file name, or it is invalid', () => {
    // fast-check's own unit `binary` takes a second to begin.
    const unit = fc.nat({ max: 0x10ffff }).map((point) => String.fromCodePoint(point));
    const property = fc.property(fc.string({ unit, maxLength: 80 }), (name) => {
      try {
        assert.match(parseProfileName(name), /^[\w.-]{1,64}$/);
        assert.ok(!name.startsWith('.'));
      } catch (error) {
        assert.ok(error instanceof Failure);
      }
    });
    fc.assert(property, { numRuns });
  });
}
