// What the `wm emulator` commands that send one control request are made of: the request, and how its response is printed. And flags
// whose value is JSON.

import { type Arguments, type Command, command, type Input } from '#cli/command.ts';
import type { Context } from '#cli/context.ts';
import { type Flag, type Flags, lastOf, textFlag } from '#cli/flags/flag.ts';
import type { RepeatContext } from '#cli/format-command.ts';
import { longFlag } from '#cli/print-list.ts';
import { isJsonObject, JsonDepthError, parseJson } from '#contract/json.ts';
import { anyText, invalidValue, replaceError, type Schema } from '#contract/schema.ts';
import { type Failure, usageError } from '#failure.ts';
import type { Column } from '#terminal/table.ts';
import {
  type ControlCall,
  formatEmulatorCommand,
  readCount,
  readList,
  sendControlRequest,
} from './control-request.ts';

interface ControlCommand<A extends Arguments, F extends Flags>
  extends Omit<Command<A, F>, 'arguments' | 'changes' | 'flags' | 'run' | 'sendsRequests'> {
  readonly arguments?: A;
  /** Besides --url, and --long for a list that may be long. */
  readonly flags: F;
  readonly mayBeLong?: true;
  readonly onlyReads?: true;
  /** Undefined if there is nothing to send. */
  call(input: Input<A, F>, context: Context): ControlCall | undefined | Promise<ControlCall | undefined>;
  print(response: unknown, context: Context, input: Input<A, F>): Promise<void>;
}

export function controlCommand<
  const F extends Flags,
  const A extends Arguments = Readonly<Record<never, never>>,
>(definition: ControlCommand<A, F>): Command<A, F> {
  const { onlyReads, flags, mayBeLong, call: callOf, print, ...rest } = definition;
  const url = textFlag('URL', 'The emulator to control (or WM_EMULATOR_URL)');
  return command<A, F>({
    ...rest,
    flags: { ...flags, ...(mayBeLong && { long: longFlag }), url },
    changes: onlyReads ? 'nothing' : 'the emulator',
    sendsRequests: true,
    async run(input, context) {
      const call = await callOf(input, context);
      const response = call && (await sendControlRequest(context, call));
      if (response !== undefined) await print(response, context, input);
      return undefined;
    },
  });
}

/** The output of a command: a list, or `none` on standard error if it is empty. */
export function listOf<T>(
  name: string,
  schema: Schema<T>,
  pipeColumns: readonly Column<T>[],
  none?: string,
  mayBeLong?: true,
) {
  return {
    pipeColumns,
    ...(mayBeLong && { mayBeLong }),
    async print(response: unknown, { report }: Context, { flags }: { readonly flags: object }) {
      const list = readList(response, name, schema);
      const form = mayBeLong && { isOneLine: !('long' in flags && flags.long), mayBeLong };
      await report.list({ columns: pipeColumns, ...list, ...form });
      if (list.records.length === 0 && none !== undefined) await report.info(none);
    },
  };
}

/** The output of a command that changes something: the response as JSON, or a sentence with the number in it. */
export const doneWith = (member: string, sentence: (count: number) => string) => ({
  async print(response: unknown, { report }: Context): Promise<void> {
    const count = readCount(response, member);
    await (report.wantsJson ? report.json(response) : report.info(sentence(count)));
  },
});

/** A usage error with an example that names the same emulator. */
export const incomplete = (context: RepeatContext, message: string, words: string): Failure =>
  usageError(message, `For example: ${formatEmulatorCommand(context, words)}`);

export const jsonFlag = (help: string, orElse = ''): Flag<unknown> => ({
  help: `${help}: text, @FILE, or -`,
  placeholder: 'JSON',
  acceptsFile: true,
  parse(values) {
    const text = lastOf(values);
    const problem = () => invalidValue(text, `is not JSON${orElse}`);
    return replaceError(SyntaxError, () => parseJson(text), problem);
  },
});

/** `flag` and `example` are for the error. */
export const jsonObjectFlag = (flag: string, help: string, example: string): Flag<object> => ({
  ...jsonFlag(''),
  help: `${help}: a JSON object, @FILE, or -`,
  parse(values) {
    let why = 'is not a JSON object';
    try {
      const decoded = parseJson(lastOf(values));
      if (isJsonObject(decoded)) return decoded;
    } catch (error) {
      if (error instanceof JsonDepthError) why = `is ${error.message}`;
    }
    throw usageError(`${flag} ${why}`, `For example: ${flag} '${example}'`);
  },
});

/** Members of a record that are texts. */
export function texts<const M extends string>(...names: readonly M[]) {
  // There is a member for each name.
  return Object.fromEntries(names.map((name) => [name, anyText])) as Record<M, typeof anyText>;
}
