// Node's own warnings on standard error. It says at the first connection that NODE_TLS_REJECT_UNAUTHORIZED=0 makes it
// insecure, which is not so here: trust.ts. The others are printed as they come.

export function suppressTlsWarning(): void {
  const printers = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.message.includes('NODE_TLS_REJECT_UNAUTHORIZED')) return;
    for (const print of printers) print.call(process, warning);
  });
}
