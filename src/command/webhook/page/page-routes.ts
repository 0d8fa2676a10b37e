// The paths of the page's server, behind the token. page-messages.ts describes their responses.

export type PageRoute =
  | { readonly kind: 'page' | 'events'; readonly method: 'GET' }
  | { readonly kind: 'older'; readonly method: 'GET'; readonly before: number }
  | { readonly kind: 'details' | 'body'; readonly method: 'GET'; readonly sequence: number }
  | { readonly kind: 'replay'; readonly method: 'POST'; readonly sequence: number };

export function parseRoute(path: string): PageRoute | undefined {
  if (path === '/') return { kind: 'page', method: 'GET' };
  if (path === '/events') return { kind: 'events', method: 'GET' };
  const [, before] = /^\/deliveries\?before=(\d{1,15})$/.exec(path) ?? [];
  if (before !== undefined) return { kind: 'older', method: 'GET', before: Number(before) };
  const [, number, action] = /^\/deliveries\/(\d{1,15})(\/body|\/replay)?$/.exec(path) ?? [];
  if (number === undefined) return undefined;
  const sequence = Number(number);
  if (action === '/replay') return { kind: 'replay', method: 'POST', sequence };
  return { kind: action === '/body' ? 'body' : 'details', method: 'GET', sequence };
}
