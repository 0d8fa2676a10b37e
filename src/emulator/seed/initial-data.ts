// Creates the data for a start and a reset: the sample or a seed, with the user's application.

import { scopes } from '#contract/scope.ts';
import { randomText } from '#random-values.ts';
import type { World } from '#world/world.ts';
import type { OwnApplication } from '../state/redirect-uri.ts';
import { createSample, sampleWebhooks } from '../state/sample.ts';
import { sampleApplications } from '../state/sample-ids.ts';
import type { SampleTokens } from '../state/sample-tokens.ts';
import { type Application, nothingRunning, type Snapshot, type Token } from '../state/store.ts';
import type { SeedData } from './parse-seed.ts';

/** `startedAt`: see {@link createSample}. */
export function createInitialData(
  world: Pick<World, 'randomBytes'>,
  { seed, withWebhooks }: { readonly seed?: SeedData; readonly withWebhooks?: boolean },
  tokens: SampleTokens,
  startedAt?: number,
): Snapshot {
  if (seed === undefined)
    return { ...createSample(tokens, startedAt), ...(withWebhooks && { webhooks: sampleWebhooks }) };
  const { ownerId, ...data } = seed;
  /** The permanent token of the seed's administrator, which the emulator prints. */
  const printed: Token = {
    id: tokens.ada,
    use: 'access',
    applicationId: sampleApplications.ready.id,
    userId: ownerId,
    scopes,
    sample: 'ada',
  };
  const applications = data.applications.map((application) =>
    application.secret === '' ? { ...application, secret: randomText(world, 64) } : application,
  );
  return { ...data, ...nothingRunning, applications, tokens: [...data.tokens, printed] };
}

/** `stored`: the application in the data, whose members stay unless the user sets others. */
export function registerApplication(
  world: Pick<World, 'randomBytes'>,
  stored: Application | undefined,
  { clientId, clientSecret, redirectUris, name }: OwnApplication,
): Application {
  return {
    id: clientId,
    secret: clientSecret ?? stored?.secret ?? randomText(world, 64),
    name: name ?? stored?.name ?? clientId,
    callbacks: redirectUris ?? stored?.callbacks ?? [],
    // An application without redirect URIs is for trials on this machine.
    loopback: redirectUris === undefined ? (stored?.loopback ?? true) : redirectUris.length === 0,
  };
}

/** Adds an application to the data, and makes it the owner of the printed token, which then sees the application's webhooks. */
export function withApplication(data: Snapshot, application: Application | undefined): Snapshot {
  if (application === undefined) return data;
  return {
    ...data,
    applications: [...data.applications.filter(({ id }) => id !== application.id), application],
    tokens: data.tokens.map((token) =>
      token.sample === 'ada' ? { ...token, applicationId: application.id } : token,
    ),
  };
}
