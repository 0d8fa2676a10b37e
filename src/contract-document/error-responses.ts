// The error responses of the API: one for each status of the contract, and one for all others.

import { serviceErrors } from '#contract/service-error.ts';
import type { JsonObject } from './json-schema.ts';

const rows = Object.entries(serviceErrors).map(([code, row]) => ({ code, ...row }));
const statuses = [...new Set(rows.map(({ status }) => status))].sort((a, b) => a - b);
const componentName = (status: number) => `Error${status}`;

export function errorReferences(): JsonObject {
  const named = statuses.map((status) => [String(status), reference(componentName(status))] as const);
  return { ...Object.fromEntries(named), '4XX': reference('Error'), '5XX': reference('Error') };
}

const reference = (name: string): JsonObject => ({ $ref: `#/components/responses/${name}` });

export function errorResponses(): JsonObject {
  const named = statuses.map((status) => {
    const errors = rows.filter((row) => row.status === status);
    const assumed = [...new Set(errors.flatMap((row) => ('assumption' in row ? row.assumption : [])))];
    const description = errors.map(({ code, when }) => `\`${code}\`: ${when}`).join('. ');
    return [componentName(status), response(`${description}.`, errors, assumed)] as const;
  });
  return { ...Object.fromEntries(named), Error: response('Any other error.', rows, []) };
}

function response(description: string, errors: typeof rows, assumed: readonly string[]): JsonObject {
  const schema = {
    type: 'object',
    required: ['error', 'errorDescription'],
    properties: {
      error: { type: 'string', enum: errors.map(({ code }) => code) },
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
