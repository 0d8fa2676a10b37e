// What the query of every request may contain besides the parameters of its operation. Contract: What the service does 1, 2;
// Authentication 1.

import type { Parameters } from './parameter.ts';
import { choice, text } from './schema.ts';

export const commonParameters = {
  method: {
    schema: choice('method', ['GET', 'POST', 'PUT', 'DELETE']),
    meaning: 'The method that is meant, for a client that can send only GET',
  },
  state: { schema: text('text'), meaning: 'Comes back in the response' },
  access_token: {
    schema: text('token', { notEmpty: true }),
    meaning: 'The access token, where no header can be sent',
    secret: true,
  },
} as const satisfies Parameters;
