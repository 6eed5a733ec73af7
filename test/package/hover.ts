import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as z from 'zod';
import { repositoryRoot } from '#package/build/read-json.ts';

/** Both count from 0. */
type Position = { readonly line: number; readonly character: number };

const message = z.object({
  id: z.union([z.int(), z.string()]).optional(),
  method: z.string().optional(),
  result: z.unknown().optional(),
});
const hover = z.object({ contents: z.object({ value: z.string() }) });

/** What an editor shows at these positions of a file: asked of the compiler's own language server. */
export async function hoverAt(file: string, positions: readonly Position[]): Promise<readonly string[]> {
  const compiler = join(repositoryRoot, 'node_modules/typescript/bin/tsc');
  const server = spawn(process.execPath, [compiler, '--lsp', '--stdio'], { stdio: ['pipe', 'pipe', 'ignore'] });
  const waiting = new Map<number | string, (result: unknown) => void>();
  let read = Buffer.alloc(0);
  const send = (sent: object) => {
    const text = JSON.stringify({ jsonrpc: '2.0', ...sent });
    server.stdin.write(`Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`);
  };
  const request = (method: string, params: object) =>
    new Promise<unknown>((resolve) => {
      const id = waiting.size + 1;
      waiting.set(id, resolve);
      send({ id, method, params });
    });
  server.stdout.on('data', (chunk: Buffer) => {
    read = Buffer.concat([read, chunk]);
    for (;;) {
      const end = read.indexOf('\r\n\r\n') + 4;
      const length = Number(/Content-Length: (\d+)/.exec(read.subarray(0, end).toString())?.[1]);
      if (end < 4 || read.length < end + length) return;
      const { id, method, result } = message.parse(JSON.parse(read.subarray(end, end + length).toString()));
      read = read.subarray(end + length);
      // What the server asks of the editor.
      if (id !== undefined && method !== undefined) send({ id, result: null });
      else if (id !== undefined) waiting.get(id)?.(result);
    }
  });
  try {
    const uri = pathToFileURL(file).href;
    const rootUri = pathToFileURL(dirname(file)).href;
    const capabilities = { textDocument: { hover: { contentFormat: ['markdown'] } } };
    await request('initialize', { processId: process.pid, rootUri, capabilities });
    send({ method: 'initialized', params: {} });
    const textDocument = { uri, languageId: 'typescript', version: 1, text: readFileSync(file, 'utf8') };
    send({ method: 'textDocument/didOpen', params: { textDocument } });
    const shown: string[] = [];
    for (const position of positions)
      shown.push(hover.parse(await request('textDocument/hover', { textDocument: { uri }, position })).contents.value);
    return shown;
  } finally {
    server.kill();
  }
}
