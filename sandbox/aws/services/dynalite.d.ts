/** dynalite ships no types. What is used of it: https://github.com/architect/dynalite#api */
declare module 'dynalite' {
  import type { Server } from 'node:http';

  type Options = { readonly createTableMs?: number; readonly path?: string };

  export default function dynalite(options?: Options): Server;
}
