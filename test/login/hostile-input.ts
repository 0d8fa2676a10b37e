// Hosts in WM_HOST and names of profiles that are hostile, or random: as many as each suite has time for.

import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Failure } from '#failure.ts';
import { isHost, isHostName, isLoopbackHost } from '#login/host.ts';
import { parseProfileName } from '#login/profile.ts';
import { run } from '#test/support/program/program.ts';
import { type AuthService, json, tokens } from '#test/support/service/auth-service.ts';
import type { Person } from '#test/support/sign-in/person.ts';
import { nothingIsKept } from '#test/support/sign-in/stage.ts';
import { hostileHosts } from './hostile-hosts.ts';

/** `step`: tries every so many of the hosts; 1 for each. */
export function testHostVariable(step: number): void {
  test('an invalid WM_HOST is rejected before anything is sent', async () => {
    // A well-formed stranger is the user's own choice there; so only invalid hosts count.
    // A line break at the end of a variable is removed.
    const noHosts = hostileHosts.filter((host) => !isHost(host.replace(/[\r\n]+$/, '')));
    const chosen = noHosts.filter((_, index) => index % step === 0);
    for (const host of chosen) {
      let sent = 0;
      const http = {
        async send() {
          sent++;
          return { fault: 'unreachable', sent: false, detail: 'a request' } as const;
        },
      };
      const ran = await run(['whoami'], {
        exit: 2,
        environment: { WM_TOKEN: 'canary', WM_HOST: host },
        world: { http },
      });
      assert.match(ran.errors, /^wm: WM_HOST/);
      assert.equal(sent, 0);
    }
    assert.ok(chosen.length > 400 / step, `${chosen.length}`);
  });
}

export function testProfileNames(numRuns: number): void {
  test('any profile name is either a plain file name or invalid', () => {
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

/** `step`: as above. */
export function testHostileSignIn(service: AuthService, person: Person, step: number): void {
  test('login rejects a hostile host too, and no hint puts an invalid one into a command', async () => {
    for (const host of hostileHosts
      .filter((host) => !isLoopbackHost(host) && host.length < 200)
      .filter((_, index) => index % step === 0)) {
      service.answer = (response) => json(response, 200, tokens(host));
      const ran = await person.loginEnds(1, service);
      if (isHostName(host))
        assert.ok(ran.errors.includes(`--allow-host ${host.toLowerCase()}\n`), ran.errors);
      else assert.doesNotMatch(ran.errors, /allow-host/, JSON.stringify(host));
      assert.doesNotMatch(ran.errors, /\bHOST\b/);
      await nothingIsKept(person, service, ran);
    }
  });
}
