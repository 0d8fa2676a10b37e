// Creates the data that an emulator starts with and a reset restores: the sample or a seed, and the user's application.

import { scopes } from '#contract/scope.ts';
import { randomText } from '../state/random-text.ts';
import { createSample } from '../state/sample.ts';
import { sampleApplications } from '../state/sample-ids.ts';
import type { SampleTokens } from '../state/sample-tokens.ts';
import { type Application, nothingRunning, type Snapshot, type Token } from '../state/store.ts';
import type { SeedData } from './parse-seed.ts';

/** What is left out stays as the data has it, or else is made: a random secret, any loopback redirect URI. */
export interface OwnApplication {
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly redirectUris?: readonly string[];
  readonly name?: string;
}

/** `startedAt`: see {@link createSample}. */
export function createInitialData(
  seed: SeedData | undefined,
  tokens: SampleTokens,
  startedAt: number | undefined,
): Snapshot {
  return seed === undefined ? createSample(tokens, startedAt) : createSeeded(seed, tokens.ada);
}

/** `token`: the permanent token that the emulator prints, of the seed's administrator. */
function createSeeded({ ownerId, ...data }: SeedData, token: string): Snapshot {
  const printed: Token = {
    id: token,
    use: 'access',
    applicationId: sampleApplications.ready.id,
    userId: ownerId,
    scopes,
    sample: 'ada',
  };
  return {
    ...data,
    ...nothingRunning,
    tokens: [...data.tokens, printed],
  };
}

/** The application, with what is known of it: its secret and redirect URIs stay, unless others are given. */
export function registerApplication(
  known: Application | undefined,
  { clientId, clientSecret, redirectUris, name }: OwnApplication,
): Application {
  return {
    id: clientId,
    secret: clientSecret ?? known?.secret ?? randomText(64),
    name: name ?? known?.name ?? clientId,
    callbacks: redirectUris ?? known?.callbacks ?? [],
    // An application without a redirect URI is for trials on this machine.
    loopback: redirectUris === undefined ? (known?.loopback ?? true) : redirectUris.length === 0,
  };
}

/** The data with this application in it, to which the printed token belongs: it sees the webhooks of its own application. */
export function withApplication(data: Snapshot, application: Application | undefined): Snapshot {
  if (application === undefined) return data;
  return {
    ...data,
    applications: [...data.applications.filter(({ id }) => id !== application.id), application],
    tokens: data.tokens.map((one) =>
      one.sample === 'ada' ? { ...one, applicationId: application.id } : one,
    ),
  };
}
