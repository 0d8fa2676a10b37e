// All operations that the contract shows or names, and those of wm. other-operation.ts has the ones that only other programs use.

import { accountOperations } from './account-operations.ts';
import { batchOperations } from './batch-operation.ts';
import { taskOperations } from './task.ts';
import { createOperations } from './task-create.ts';
import { itemOperations } from './task-items.ts';
import { taskLists } from './task-list.ts';
import { webhookOperations } from './webhook.ts';
import { webhookCreateOperations } from './webhook-create.ts';

export const operations = {
  ...taskOperations,
  ...taskLists,
  ...createOperations,
  ...itemOperations,
  ...batchOperations,
  ...webhookCreateOperations,
  ...webhookOperations,
  ...accountOperations,
} as const;

/** Whether the contract shows which scopes the operation of this name needs. Contract: Authentication 9. */
export const showsScopes = (name: string) => ['updateTask', 'createTask', 'createSpaceTask'].includes(name);

export type OperationName = keyof typeof operations;
