import { build } from 'esbuild';

/** A file that the browser loads. */
export type Asset = { readonly contentType: string; readonly body: Uint8Array };

/** The files of the pages by their paths, such as `/assets/console.js`. */
export type ConsoleAssets = ReadonlyMap<string, Asset>;

/** Bundles the pages in memory. @param root the folder of the repository @throws if the pages do not compile */
export async function buildAssets(root: string): Promise<ConsoleAssets> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [
      { in: 'console/main.tsx', out: 'console' },
      { in: 'console/live-worker.ts', out: 'live-worker' },
      { in: 'console/styles/console.css', out: 'console' },
    ],
    outdir: '/assets',
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2024',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    legalComments: 'inline',
    logLevel: 'warning',
  });
  return new Map(
    outputFiles.map(({ path, contents }) => [path, { contentType: contentTypeOf(path), body: contents }] as const),
  );
}

function contentTypeOf(path: string): string {
  return path.endsWith('.css') ? 'text/css; charset=utf-8' : 'text/javascript; charset=utf-8';
}
