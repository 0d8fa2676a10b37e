// Hides Node's warning that NODE_TLS_REJECT_UNAUTHORIZED=0 makes TLS insecure: wm always verifies (tls-certificates.ts). Node
// prints all other warnings as usual.

export function suppressTlsWarning(): void {
  const printers = process.listeners('warning');
  process.removeAllListeners('warning');
  process.on('warning', (warning) => {
    if (warning.message.includes('NODE_TLS_REJECT_UNAUTHORIZED')) return;
    for (const print of printers) print.call(process, warning);
  });
}
