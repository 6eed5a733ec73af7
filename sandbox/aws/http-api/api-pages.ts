import { readFileSync } from 'node:fs';
import * as z from 'zod';
import { openApiFile } from '#sandbox/laptop-files.ts';
import { createReferencePages, jsonPage, type Page } from '#sandbox/net/reference-pages.ts';

const openApiDocument = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });

/**
 * The pages that the laptop serves beside the API, and API Gateway does not: `/` says what there is, `/docs` shows the OpenAPI
 * document, `/openapi.json` is the document with the laptop as its server.
 */
export function createApiPages(): (path: string) => Page | undefined {
  let pages: ReturnType<typeof readPages> | undefined;
  return (path) => {
    if (path !== '/' && path !== '/openapi.json' && path !== '/docs' && !path.startsWith('/docs/')) return undefined;
    pages ??= readPages();
    return path === '/openapi.json' ? pages.onLaptop : pages.pageOf(path);
  };
}

function readPages() {
  const document = openApiDocument.parse(JSON.parse(readFileSync(openApiFile, 'utf8')));
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
  );
  const onLaptop = jsonPage({ ...document, servers: [{ url: '/', description: 'The laptop' }] });
  const pageOf = createReferencePages({
    title: 'Drawbridge on the laptop',
    documents: [{ name: 'Drawbridge', path: '/openapi.json' }],
    overview: { routes },
  });
  return { onLaptop, pageOf };
}
