// The schema of an operation in a batch. Its shape is assumed.

import { choice, object, optional, type TypeOf, text } from '../../contract/schema.ts';
import { anyValue } from './assumed-operation.ts';

export const batchOperation = object('batch operation', {
  method: choice('method', ['POST']),
  path: text('path', { notEmpty: true }),
  parameters: optional(anyValue),
});
export type BatchOperation = TypeOf<typeof batchOperation>;
