// Reads operations from a file or standard input: a JSON array, or one JSON object per line. Validates each one, so that no file
// can send the token elsewhere or use another token.

import { shareOf } from '#cli/count-of.ts';
import { decodeInput } from '#cli/decode-text.ts';
import { readInput } from '#cli/file-value.ts';
import { caseInsensitive } from '#cli/flags/flag.ts';
import { tunnelsMethod } from '#client/read-only-session.ts';
import { type BatchOperation, batchOperation } from '#contract/batch-operation.ts';
import { describeJsonError, findDuplicateKey, isJsonObject, parseJson } from '#contract/json.ts';
import { anyJson, invalidValue, list, replaceError, ValidationError, withPath } from '#contract/schema.ts';
import { usageError } from '#failure.ts';
import type { World } from '#world/world.ts';
import { findPathProblem, isTokenName, plainNames, queryNames, tokenReason } from '../api-path.ts';

const maxBytes = 64 * 1024 * 1024;
const maxListed = 20;

/** Throws a usage failure that lists the invalid operations. Then none may be sent. */
export async function readOperations(world: World, file: string): Promise<readonly BatchOperation[]> {
  const bytes = await readInput(world, file, 'FILE', maxBytes);
  const name = file === '-' ? 'standard input' : file;
  const text = decodeInput(bytes, `FILE: ${name}`);
  const entries = splitEntries(text, name);
  if (entries.length === 0)
    throw usageError(
      `FILE: ${name} contains no operation`,
      'Give a JSON array of operations, or one on each line. See --help.',
    );
  const invalid: string[] = [];
  const operations = entries.flatMap(({ location, read }) => {
    try {
      return [parseOperation(read())];
    } catch (error) {
      if (!(error instanceof ValidationError)) throw error;
      invalid.push(`${location}: ${error.message}`);
      return [];
    }
  });
  if (invalid.length === 0) return operations;
  const omitted = invalid.length > maxListed ? [`and ${invalid.length - maxListed} more`] : [];
  throw usageError(
    `${shareOf(invalid.length, entries.length, 'operation', 'is')} invalid; nothing was sent`,
    [...invalid.slice(0, maxListed), ...omitted].join('\n'),
  );
}

interface Entry {
  /** Such as `line 3`, or `operation 3` in an array. */
  readonly location: string;
  /** Throws a {@link ValidationError}. */
  readonly read: () => unknown;
}

function splitEntries(text: string, name: string): readonly Entry[] {
  if (text.trimStart().startsWith('[')) {
    const operations = parseArray(text, name);
    return operations.map((input, index) => ({ location: `operation ${index + 1}`, read: () => input }));
  }
  return text.split('\n').flatMap((line, index) => {
    if (line.trim() === '') return [];
    return [{ location: `line ${index + 1}`, read: () => parseUnambiguous(line) }];
  });
}

function parseArray(text: string, name: string): readonly unknown[] {
  const read = () => list(anyJson).validate(parseUnambiguous(text));
  return replaceError(ValidationError, read, ({ message }) => usageError(`FILE: ${name}: ${message}`));
}

/** Throws a {@link ValidationError} for a repeated name: either value could be the intended one. */
function parseUnambiguous(text: string): unknown {
  const problem = (error: SyntaxError) => invalidValue(text, describeJsonError(error));
  const value = replaceError(SyntaxError, () => parseJson(text), problem);
  const name = findDuplicateKey(text);
  if (name !== undefined) throw invalidValue(name, 'appears twice in one JSON object');
  return value;
}

const operationInput = caseInsensitive(batchOperation);

function parseOperation(input: unknown): BatchOperation {
  const operation = operationInput.validate(input);
  withPath('path', () => validatePath(operation.path));
  const { parameters = {} } = operation;
  withPath('parameters', () => {
    if (!isJsonObject(parameters)) throw invalidValue(parameters, 'is not a JSON object');
    rejectNames(Object.keys(parameters), allNames(parameters));
  });
  return operation;
}

function validatePath(path: string): void {
  const problem =
    path.startsWith('/') || path.includes('://') ? findPathProblem(path) : 'does not begin with a slash';
  if (problem !== undefined)
    throw invalidValue(path, `${problem}; give the path below the base address, such as /folders/ID/tasks`);
  const names = queryNames(path);
  rejectNames(names, names);
}

/** Rejects parameters that would replace the session's token, or the confirmed method. */
function rejectNames(ownNames: readonly string[], nestedNames: readonly string[]): void {
  const token = nestedNames.flatMap(queryNames).find(isTokenName);
  if (token !== undefined) throw invalidValue(token, `is not allowed: ${tokenReason}`);
  const method = ownNames.flatMap(queryNames).find((name) => tunnelsMethod(plainNames(name)));
  if (method !== undefined)
    throw invalidValue(method, 'is not allowed: give the method of the operation itself');
}

function allNames(value: unknown): readonly string[] {
  const names: string[] = [];
  const queue = [value];
  for (let next = queue.pop(); next !== undefined; next = queue.pop()) {
    if (typeof next !== 'object' || next === null) continue;
    if (!Array.isArray(next)) names.push(...Object.keys(next));
    queue.push(...Object.values(next));
  }
  return names;
}
