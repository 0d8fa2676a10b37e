// What orval generates. It would append an object to a form as it is, which is invalid TypeScript.

export default {
  service: {
    input: { target: './orval.json' },
    output: { target: './orval/api.ts', client: 'fetch', override: { formUrlEncoded: false } },
  },
};
