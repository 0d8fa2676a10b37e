// Registers applications, as the console of the service does, and lists them.

import { formatValue, list, object, optional, text, ValidationError } from '../../contract/schema.ts';
import { redirectUriProblem } from '../oauth/redirect-uri.ts';
import { registerApplication } from '../seed/initial-data.ts';
import type { Application } from '../state/store.ts';
import type { ControlRequest } from './control-request.ts';

const notEmpty = text('text', { notEmpty: true });
const applicationSchema = object('application', {
  clientId: notEmpty,
  clientSecret: optional(notEmpty),
  redirectUris: optional(list(notEmpty)),
  name: optional(notEmpty),
});

const toShown = ({ id, secret, name, callbacks, loopback }: Application) => ({
  clientId: id,
  clientSecret: secret,
  name,
  redirectUris: callbacks,
  anyLoopback: loopback,
});

export function listApplications({ service: { store } }: ControlRequest) {
  return { applications: [...store.applications.values()].map(toShown) };
}

/** One that exists gets what is given. */
export function addApplication({ service: { store, scheduleSave }, body }: ControlRequest) {
  const given = applicationSchema.validate(body);
  for (const uri of given.redirectUris ?? []) {
    const problem = redirectUriProblem(uri);
    if (problem !== undefined) throw new ValidationError(formatValue(uri), problem);
  }
  const application = registerApplication(store.applications.get(given.clientId), given);
  store.applications.set(application.id, application);
  scheduleSave();
  return { applications: [toShown(application)] };
}
