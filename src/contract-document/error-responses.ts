// The error responses of the API: one for each status in the contract, and one for all others.

import { type ServiceError, serviceErrors } from '#contract/service-error.ts';
import type { JsonObject } from './json-schema.ts';

interface Row {
  readonly code: ServiceError;
  readonly status: number;
  readonly when: string;
  readonly assumption?: string;
}

const rows: readonly Row[] = Object.entries(serviceErrors).map(([code, row]) => ({
  // The keys come from an object of literals; Object.entries loses their type.
  code: code as ServiceError,
  ...row,
}));

const statuses = [...new Set(rows.map(({ status }) => status))].sort((first, second) => first - second);

const componentName = (status: number) => `Error${status}`;

/** The references in the `responses` of an operation. */
export function errorReferences(): JsonObject {
  const named = statuses.map((status) => [String(status), reference(componentName(status))] as const);
  return { ...Object.fromEntries(named), '4XX': reference('Error'), '5XX': reference('Error') };
}

const reference = (name: string): JsonObject => ({ $ref: `#/components/responses/${name}` });

/** The components that the references lead to. */
export function errorResponses(): JsonObject {
  const named = statuses.map((status) => {
    const ofStatus = rows.filter((row) => row.status === status);
    const assumed = [...new Set(ofStatus.flatMap(({ assumption }) => assumption ?? []))];
    const says = ofStatus.map(({ code, when }) => `\`${code}\`: ${when}`).join('. ');
    return [componentName(status), response(`${says}.`, ofStatus, assumed)] as const;
  });
  return { ...Object.fromEntries(named), Error: response('Any other error.', rows, []) };
}

function response(description: string, of: readonly Row[], assumed: readonly string[]): JsonObject {
  const schema = {
    type: 'object',
    required: ['error', 'errorDescription'],
    properties: {
      error: { type: 'string', enum: of.map(({ code }) => code) },
      errorDescription: { type: 'string' },
      state: { type: 'string', description: 'The state of the request', 'x-assumed': ['state-echo'] },
    },
  };
  return {
    description,
    content: { 'application/json': { schema } },
    ...(assumed.length === 0 ? {} : { 'x-assumed': assumed }),
  };
}
