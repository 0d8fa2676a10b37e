// A disk that is full for some of the files of a bulk, each from so many bytes on, and standard output on it; and a network
// that knows which updates had a response.

import { PassThrough } from 'node:stream';
import { aroundHttp } from '#test/support/service/around-http.ts';
import { createFiles } from '#world/files.ts';
import type { Environment, Files, Output } from '#world/world.ts';

export const places = ['journal', 'output', 'errors', 'undo'] as const;
export type Place = (typeof places)[number];

/** How many bytes each takes, or what it does not take any more; one that is not named takes all. */
export type Room = { readonly [P in Place]?: number | RegExp };

const placeOf = (path: string): Place | undefined => {
  if (path.endsWith('journal')) return 'journal';
  if (path.endsWith('failed.csv')) return 'errors';
  return path.includes('undo') ? 'undo' : undefined;
};

function full(path?: string): Error {
  const message = 'ENOSPC: no space left on device, write';
  return Object.assign(new Error(message), { code: 'ENOSPC', syscall: 'write', ...(path && { path }) });
}

/** As much as there is room for is taken, whole writes only. */
function meter(room: number | RegExp): (content: string | Uint8Array) => boolean {
  let left = typeof room === 'number' ? room : 0;
  let isOver = false;
  return (content) => {
    left -= Buffer.byteLength(content);
    isOver ||= typeof room === 'number' ? left < 0 : room.test(String(content));
    return !isOver;
  };
}

export function faultyFiles(environment: Environment, folder: string, room: Room): Files {
  const files = createFiles(environment, process.platform, folder);
  const meters = new Map(places.map((place) => [place, meter(room[place] ?? Number.POSITIVE_INFINITY)]));
  return {
    ...files,
    async append(path, options) {
      const file = await files.append(path, options);
      const place = placeOf(path);
      return {
        ...file,
        write(content) {
          const fits = place === undefined || meters.get(place)?.(content) === true;
          if (!fits) throw full(path);
          file.write(content);
        },
      };
    },
  };
}

export interface Heard {
  readonly output: Output;
  /** What has arrived. */
  text(): string;
}

export function faultyOutput({ output: room = Number.POSITIVE_INFINITY }: Room): Heard {
  const fits = meter(room);
  let text = '';
  return {
    output: {
      raw: new PassThrough(),
      isTerminal: false,
      columns: undefined,
      async write(more) {
        if (!fits(more)) throw Object.assign(full(), { name: 'UnwritableOutput' });
        text += more;
      },
    },
    text: () => text,
  };
}

/** Notes the tasks whose update was sent, and those whose update had a response, in order. */
export function watchedHttp() {
  const sent: string[] = [];
  const answered: string[] = [];
  const http = aroundHttp(async ({ method, url }, pass) => {
    const id = method === 'PUT' ? /\/tasks\/([^?]+)/.exec(url)?.[1] : undefined;
    if (id !== undefined) sent.push(id);
    const outcome = await pass();
    if (id !== undefined && !('fault' in outcome)) answered.push(id);
    return outcome;
  });
  return { http, sent, answered };
}
