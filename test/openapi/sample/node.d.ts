// All that the sample uses of Node.
declare const process: { readonly argv: string[]; readonly stdout: { write(text: string): void } };
