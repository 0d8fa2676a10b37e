// An esbuild plugin that bundles only undici's dispatchers. All of undici is 1.1 MB, with fetch, web sockets, caches and mocks that
// wm never uses.

const parts = {
  Agent: './lib/dispatcher/agent.js',
  Pool: './lib/dispatcher/pool.js',
  ProxyAgent: './lib/dispatcher/proxy-agent.js',
  buildConnector: './lib/core/connect.js',
};

export const undiciDispatcher = {
  name: 'undici-dispatcher',
  setup(builder) {
    builder.onLoad({ filter: /[\\/]undici[\\/]index\.js$/ }, () => ({
      contents: [
        // As in undici's index: the proxy agent calls connect().
        "Object.assign(require('./lib/dispatcher/dispatcher.js').prototype, require('./lib/api'));",
        ...Object.entries(parts).map(([name, file]) => `exports.${name} = require(${JSON.stringify(file)});`),
      ].join('\n'),
    }));
    // Bodies other than bytes: only fetch and requests with a FormData load this.
    builder.onLoad({ filter: /[\\/]undici[\\/].*[\\/]fetch[\\/]body\.js$/ }, () => ({
      contents: "exports.extractBody = () => { throw new Error('wm sends only bytes and text'); };",
    }));
  },
};
