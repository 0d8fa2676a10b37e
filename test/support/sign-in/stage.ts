// What the tests about signing in share: one service for the tests of a file, and for each of them a person with a folder
// of their own.

import assert from 'node:assert/strict';
import { after, afterEach, beforeEach } from 'node:test';
import type { Ran } from '../program/program.ts';
import { type AuthService, startAuthService } from '../service/auth-service.ts';
import { createPerson, type Person, visit } from './person.ts';

export async function serviceForAll(): Promise<AuthService> {
  const service = await startAuthService();
  after(() => service.close());
  const { answer, who } = service;
  beforeEach(() => {
    Object.assign(service, { answer, who, probes: 0 });
    service.exchanges.length = 0;
    service.calls.length = 0;
  });
  return service;
}

/** Someone new before each test, whose commands succeed unless the test says otherwise. */
export function personForEach(take?: (person: Person) => void): Person {
  const person = createPerson(0);
  beforeEach(async () => {
    await person.enter();
    take?.(person);
  });
  afterEach(() => person.leave());
  return person;
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
