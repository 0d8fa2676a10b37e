// How the callback URL gets here without a callback server: the user pastes it at a prompt, or a program writes it into a pipe.

import { StringDecoder } from 'node:string_decoder';
import type { Context } from '#cli/context.ts';
import { type Failure, usageError } from '#failure.ts';
import type { AuthorizationResponse, ParseUrl } from '#login/authorization-response.ts';
import type { World } from '#world/world.ts';

interface CallbackUrlPrompt {
  readonly question: string;
  readonly parse: ParseUrl;
  readonly signal: AbortSignal;
  /** What may be wrong if the URL does not arrive. */
  readonly troubleshooting?: string | undefined;
}

/** Most users have pressed Allow by then. */
export const troubleshootingAfterMs = 20_000;

/** True if a landing URL can come from standard input, by a prompt or by a pipe. */
export function canReadCallbackUrl({ canPrompt, world }: Context): boolean {
  return canPrompt || !world.streams.input.isTerminal;
}

export function cannotReadCallbackUrl(context: Context, hint: string): Failure {
  return usageError(
    'You must paste the address you land on',
    hint,
    `cannot prompt: ${context.whyCannotPrompt}`,
  );
}

/** Prompts for the landing URL, or reads it from a pipe; undefined if the pipe ended. Rejects when the signal ends a prompt. */
export async function readCallbackUrl(
  context: Context,
  { question, parse, signal, troubleshooting }: CallbackUrlPrompt,
): Promise<AuthorizationResponse | undefined> {
  let response: AuthorizationResponse | undefined;
  const check = (text: string) => {
    const parsed = parse(text);
    if (typeof parsed === 'string') return parsed;
    response = parsed;
    return undefined;
  };
  if (context.canPrompt) {
    await context.prompt('the address', (prompt) =>
      prompt.text(question, {
        validate: check,
        signal,
        ...(troubleshooting === undefined || context.common.quiet
          ? {}
          : { remark: { text: troubleshooting, afterMs: troubleshootingAfterMs } }),
      }),
    );
    return response;
  }
  let reported = 0;
  const { fault } = await readCallbackUrlLine(context.world, {
    check,
    signal,
    onInvalid(lineNumber, why) {
      reported += 1;
      if (reported <= maxReported) void context.report.warn(`Line ${lineNumber} of standard input: ${why}`);
      if (reported === maxReported) void context.report.warn('Further invalid lines are not reported.');
    },
  });
  if (fault !== undefined) await context.report.warn(`Cannot read standard input: ${fault}`);
  return response;
}

const maxReported = 5;

/** Standard input ended without the landing URL. `command`: an example in the hint. */
export function endedWithoutCallbackUrl(command: string): Failure {
  return usageError(
    'Standard input ended without the address you landed on',
    `Give it as one line: echo 'https://...?code=...&state=...' | ${command}`,
  );
}

/** In characters. A landing URL is far shorter; longer lines are skipped. */
const maxLineLength = 16 * 1024;

interface LineReaderOptions {
  readonly check: (line: string) => string | undefined;
  /** Called for each wrong line, before reading continues. The line may hold a code, so it must not be shown. */
  readonly onInvalid: (lineNumber: number, why: string) => void;
  readonly signal: AbortSignal;
}

/** Reads lines until the right one, the end of the input, a fault or an abort; then releases the input. */
export function readCallbackUrlLine(
  { streams, clock }: Pick<World, 'streams' | 'clock'>,
  { check, onInvalid, signal }: LineReaderOptions,
): Promise<{ readonly line?: string; readonly fault?: string }> {
  const { raw } = streams.input;
  return new Promise((resolve) => {
    const decoder = new StringDecoder('utf8');
    let text = '';
    let isTooLong = false;
    let lineNumber = 0;
    /** Wrong lines that may be the beginning of a URL broken by line ends, and what is wrong with each. */
    let partialUrl = '';
    let unreported: (readonly [number, string])[] = [];

    const report = () => {
      for (const invalid of unreported) onInvalid(...invalid);
      partialUrl = '';
      unreported = [];
    };
    const settle = (result: { readonly line?: string; readonly fault?: string }) => {
      if (result.line === undefined) report();
      raw.off('data', onData);
      raw.off('end', onEnd);
      raw.off('error', onError);
      signal.removeEventListener('abort', onEnd);
      // An unpaused stream keeps the process alive; one that is paused while it emits data reads on.
      void clock.nextTurn().then(() => {
        raw.pause();
        resolve(result);
      });
    };
    /** Returns the right URL if it ends with this line. */
    const checkLine = (line: string): string | undefined => {
      lineNumber += 1;
      const wasTooLong = isTooLong;
      isTooLong = false;
      if (line.trim() === '' && !wasTooLong) return undefined;
      const verdict = wasTooLong ? `It is longer than ${maxLineLength} characters.` : check(line);
      if (verdict === undefined) {
        report();
        return line;
      }
      if (!wasTooLong && check(partialUrl + line) === undefined) return partialUrl + line;
      // A line with its query begins anew.
      if (wasTooLong || line.includes('?')) report();
      unreported.push([lineNumber, verdict]);
      partialUrl += line.trim();
      if (wasTooLong || !/[?=]/.test(partialUrl) || partialUrl.length > maxLineLength) report();
      return undefined;
    };
    const onData = (chunk: Buffer) => {
      text += decoder.write(chunk);
      for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n')) {
        const line = text.slice(0, end);
        text = text.slice(end + 1);
        const url = checkLine(line);
        if (url !== undefined) return settle({ line: url });
      }
      if (text.length > maxLineLength) {
        text = '';
        isTooLong = true;
      }
    };
    const onEnd = () => {
      // A pipe may end without a line break.
      const url = !signal.aborted && (text !== '' || isTooLong) ? checkLine(text) : undefined;
      settle(url === undefined ? {} : { line: url });
    };
    const onError = (error: Error) => settle({ fault: error.message });

    raw.on('data', onData);
    raw.on('end', onEnd);
    raw.on('error', onError);
    signal.addEventListener('abort', onEnd);
    if (signal.aborted) onEnd();
  });
}
