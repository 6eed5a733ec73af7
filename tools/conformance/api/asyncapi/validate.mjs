/** Parses the AsyncAPI document of the given path, and prints its version, its messages and the diagnostics, as JSON. */
import { readFileSync } from 'node:fs';
import { Parser } from '@asyncapi/parser';

const { document, diagnostics } = await new Parser().parse(readFileSync(process.argv[2], 'utf8'));
process.stdout.write(
  JSON.stringify({
    version: document?.version() ?? 'unknown',
    messages: document?.allMessages().all().length ?? 0,
    diagnostics: diagnostics.map(({ code, message, path, severity }) => ({ code, message, path, severity })),
  }),
);
