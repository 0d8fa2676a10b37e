// What an import with `?inline` gives: scripts/inline-plugin.mjs.

declare module '*?inline' {
  const text: string;
  export default text;
}
