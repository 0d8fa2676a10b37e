// What the tests about signing in share: one service for the tests of a file, and for each of them a person with a folder
// of their own.

import assert from 'node:assert/strict';
import { after, afterEach, beforeEach } from 'node:test';
import type { Ran } from '../program/program.ts';
import { type AuthService, startAuthService } from '../service/auth-service.ts';
import { makePerson, type Person, visit } from './person.ts';

export async function serviceForAll(): Promise<AuthService> {
  const service = await startAuthService();
  after(() => service.close());
  beforeEach(() => {
    service.exchanges.length = 0;
    service.calls.length = 0;
    service.probes = 0;
  });
  return service;
}

export function personForEach(take: (person: Person) => void): void {
  let person: Person;
  beforeEach(async () => {
    person = await makePerson();
    take(person);
  });
  afterEach(() => person.leave());
}

/** After a sign-in that failed: no file, no output, no call of the API, and the port of the callback is closed. */
export async function nothingIsKept(person: Person, service: AuthService, ran: Ran): Promise<void> {
  const files = [...(await person.files()).keys()].filter((path) => !path.endsWith('.lock'));
  assert.deepEqual(files, []);
  assert.equal(ran.output, '');
  assert.deepEqual(service.calls, []);
  const callback = person.consent?.searchParams.get('redirect_uri');
  if (callback) await assert.rejects(visit(callback), /ECONNREFUSED/);
}
