// Runs a command line: finds the command, creates its values and context, and turns a failure into a message and an exit status.

import { inspect } from 'node:util';
import { trustCaFile } from '#cli/ca-file.ts';
import { accountOptions, type Context, createCommandReport, createContext } from '#cli/context.ts';
import { trackVariables, unverifiedTlsWarning, validateVariables } from '#cli/environment-variables.ts';
import type { FilteredOutput } from '#cli/filtered-output.ts';
import { type CommonFlags, commonFlags } from '#cli/flags/common-flags.ts';
import { hasEndedFollowing, untilInterrupted } from '#cli/interrupt.ts';
import { parseFlags, readFileValues, rejectRepeatedFlags } from '#cli/parse-values.ts';
import { loadSettings, noSettings } from '#cli/settings/load-settings.ts';
import { ValidationError } from '#contract/schema.ts';
import { type Failure, isInterruption, outputFailure, toFailure, usageError } from '#failure.ts';
import { internalCommands } from '#internal-commands.ts';
import { forwardOutput, limitUnread } from '#terminal/unread-output.ts';
import type { Output, Secrets, Streams, World } from '#world/world.ts';
import { commands } from './commands.ts';
import { parse } from './parser.ts';

/** `argv`: without `node` and the script. Returns the exit status; never throws. */
export async function runProgram(argv: readonly string[], outerWorld: World): Promise<number> {
  const limitedWorld = await withTypedName(limitUnread(outerWorld));
  const { secrets } = limitedWorld;
  let world: World = { ...limitedWorld, streams: redactStreams(limitedWorld.streams, secrets) };
  trackVariables(secrets, world.environment);
  let common: CommonFlags | undefined;
  let settings = noSettings;
  let context: Context | undefined;
  let filtered: FilteredOutput | undefined;
  if (argv[0] === internalCommands.complete)
    return (await import('./complete/complete.ts')).complete(argv.slice(1), world);
  try {
    const encoding = checkEncoding(argv, world);
    const parsed = await parse(argv, world);
    if (parsed === undefined) return 0;
    const { words, command, flags } = parsed;
    // Only now, so that help works with an invalid environment.
    world = validateVariables(world);
    const allFlags = { ...commonFlags, ...command.flags };
    rejectRepeatedFlags(allFlags, flags);
    common = withImpliedJson(parseFlags(commonFlags, flags));
    const loaded = await loadSettings(world, accountOptions(world.environment, common));
    if (loaded.failure && !command.repairsSettings) throw loaded.failure;
    settings = loaded;
    const unverified = world.environment['NODE_TLS_REJECT_UNAUTHORIZED'] === '0' && unverifiedTlsWarning;
    for (const warning of [encoding, loaded.warning, unverified])
      if (warning) await createCommandReport(world, common, settings).warn(warning);
    if (common.ca !== undefined) world = await trustCaFile(world, common.ca);
    const changesOnlyBySession = command.changes === 'nothing' || command.changes === 'the service';
    const line = { words, flags: allFlags, rawFlags: flags, changesOnlyBySession };
    let texts = await readFileValues(world, command.flags, flags);
    if (common.jq !== undefined) {
      const { createFilteredOutput } = await import('#cli/filtered-output.ts');
      const { streams } = limitedWorld;
      const { jq, arg = new Map() } = common;
      filtered = await createFilteredOutput(world, { ...streams, errors: world.streams.errors }, jq, arg);
      // Redacts before the filter, which must not get secrets.
      world = { ...world, streams: redactStreams({ ...streams, output: filtered.output }, secrets) };
    }
    const running = createContext(world, common, describeProgram, line, settings);
    context = running;
    // In 14/12/2026, only the account's date format tells which part is the day.
    if ([...texts.values()].flat().some((text) => /^\s*\d\d?\/\d\d?\/\d{4}/.test(text))) {
      const { readSlashedDates } = await import('#cli/slashed-dates.ts');
      texts = await readSlashedDates(running, command.flags, texts);
    }
    const input = { arguments: parsed.arguments, flags: parseFlags(command.flags, texts) };
    // Local changes are always allowed.
    const isChange = command.changes === 'the service' || command.changes === 'a receiver';
    if (isChange && !command.mayOnlyRead && !common.dryRun && !common.curl) await running.assertMayChange();
    const run = async () => {
      const status = (await command.run(input, running)) ?? 0;
      const failure = await filtered?.end();
      if (failure) throw failure;
      return status;
    };
    return await (command.handlesInterrupt ? run() : untilInterrupted(running, run));
  } catch (thrown) {
    const failure = failureOf(thrown);
    if (isInterruption(failure.code)) await filtered?.stop();
    // Also filters what was printed before a failure.
    else await filtered?.end().catch(toFailure);
    const outputFlags = common ?? guessOutputFlags(argv);
    const report = context?.report ?? createCommandReport(world, outputFlags, settings);
    if (context && hasEndedFollowing(failure, context)) await report.info('Ended.');
    else {
      const { withAccountFlags } = await import('#cli/format-command.ts');
      await report.failure(withAccountFlags({ common: outputFlags, world }, failure));
    }
    if (failure.code === 'internal' && world.environment['WM_DEBUG']) await report.warn(inspect(thrown));
    return failure.exitStatus;
  } finally {
    await context?.end();
  }
}

/** Throws a usage failure for an argument that is not UTF-8. Node puts U+FFFD in place of such bytes; the result warns of others. */
function checkEncoding(argv: readonly string[], { process: processes }: World): string | undefined {
  const indexes = argv.flatMap((text, index) => (text.includes('\ufffd') ? index : []));
  const wrong = indexes.find((at) => processes.holdsArgument(argv[at] ?? '', at - argv.length) === false);
  if (wrong !== undefined)
    throw usageError(
      `Argument ${wrong + 1} is not UTF-8 text`,
      'Nothing was sent. Type it in a terminal that uses UTF-8, or save the script as UTF-8.',
    );
  return indexes.length > 0
    ? 'An argument has the character U+FFFD. If you did not type it, npx or another program has put it in place of other text.'
    : undefined;
}

/** How to print a message, from the words, if the flags were not parsed. */
function guessOutputFlags(argv: readonly string[]): CommonFlags {
  const words = argv.map((text) => text.toLowerCase());
  return {
    json: words.some((word) => ['--json', '--json=true', '--jq'].includes(word) || word.startsWith('--jq=')),
    color: !argv.includes('--no-color'),
  };
}

/** npx puts `wm` on no PATH that lasts, so commands are printed behind `npx`, which cannot name a package that it has just fetched. */
async function withTypedName(world: World): Promise<World> {
  const { environment, files, process, streams } = world;
  if (environment['npm_lifecycle_event'] !== 'npx') return world;
  if (/[\\/]_npx[\\/]/.test(await files.realPath(process.self.at(-1) ?? ''))) return world;
  const words = new Set(commands.map((row) => row.words.replace(/ .*/, '')));
  const command = new RegExp(`(?<![\\w./-]|npx )wm (?=(?:${[...words].join('|')}|COMMAND|--help)\\b)`, 'g');
  return { ...world, streams: { ...streams, asTyped: (text) => text.replace(command, 'npx wm ') } };
}

/** Redacts secrets from everything that is printed, except where a write shows one. See docs/decisions/redaction.md. */
function redactStreams({ output, errors, ...streams }: Streams, { redact }: Secrets): Streams {
  const redacted = (stream: Output) =>
    forwardOutput(stream, {
      write: (text, options) =>
        stream.write(
          typeof text !== 'string' || options?.showsSecrets || options?.isRedacted ? text : redact(text),
          options,
        ),
    });
  return { ...streams, output: redacted(output), errors: redacted(errors) };
}

/** @throws {Failure} `usage` for a filter of output that is not JSON. */
function withImpliedJson(common: CommonFlags): CommonFlags {
  if (common.jq === undefined && common.arg !== undefined)
    throw usageError(
      '--arg needs --jq',
      "For example: --jq '.[] | select(.id == $id)' --arg id=IEAAAAAQKQAB5BNG",
    );
  if (common.jq === undefined) return common;
  if (common.curl)
    throw usageError('--jq filters JSON, and --curl prints a command', 'Use --dry-run in place of --curl.');
  return { ...common, json: true };
}

async function describeProgram(words: readonly string[]): Promise<object> {
  return (await import('./reference/describe-program.ts')).describeProgram(words);
}

function failureOf(thrown: unknown): Failure {
  if (thrown instanceof ValidationError) return usageError(thrown.message);
  const failure = outputFailure(thrown);
  return (
    failure?.with({ hint: 'The command did its work; only its output is missing.' }) ?? toFailure(thrown)
  );
}
