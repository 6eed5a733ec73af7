import { readViewerFile } from '#sandbox/laptop-files.ts';

/** A page, as a server sends it. */
export type Page = {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array<ArrayBuffer>;
};

export type ReferencePagesProps = {
  readonly title: string;
  /** OpenAPI documents, by the paths where they are served. The page shows the first one first. */
  readonly documents: readonly { readonly name: string; readonly path: string }[];
  /** What else a reader of `GET /` can use. */
  readonly overview: Readonly<Record<string, unknown>>;
};

/** The files of the viewer, which a page loads from this server and from nowhere else. */
const viewerFiles: ReadonlyMap<string, string> = new Map([
  ['swagger-ui.css', 'text/css'],
  ['swagger-ui-bundle.js', 'text/javascript'],
]);

/** The viewer styles its elements inline, and has its icons in data URLs. */
const contentSecurityPolicy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:";

/** Finds the page of a path: `/` says what there is, `/docs` shows OpenAPI documents in the browser. Undefined for other paths. */
export function createReferencePages({ title, documents, overview }: ReferencePagesProps) {
  const pages: Readonly<Record<string, () => Page>> = {
    '/': () => jsonPage({ name: title, docs: '/docs', openapi: documents.map(({ path }) => path), ...overview }),
    '/docs': () => textPage('text/html', docsPage(title, documents)),
    '/docs/initialize.js': () => textPage('text/javascript', initializer(documents)),
  };
  return (path: string): Page | undefined => {
    if (Object.hasOwn(pages, path)) return pages[path]?.();
    const file = path.startsWith('/docs/') ? path.slice('/docs/'.length) : '';
    const type = viewerFiles.get(file);
    return type === undefined ? undefined : { headers: headersOf(type), body: Uint8Array.from(readViewerFile(file)) };
  };
}

export function jsonPage(value: unknown): Page {
  return textPage('application/json', `${JSON.stringify(value, undefined, 2)}\n`);
}

function textPage(type: string, body: string): Page {
  return { headers: headersOf(type), body };
}

function headersOf(type: string): Page['headers'] {
  return {
    'content-type': type === 'application/json' ? type : `${type}; charset=utf-8`,
    'content-security-policy': contentSecurityPolicy,
  };
}

function docsPage(title: string, documents: ReferencePagesProps['documents']): string {
  const links = documents.map(({ name }, index) => `<a href="/docs?document=${index}">${name}</a>`);
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <title>${title}</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="/docs/swagger-ui.css">
  </head>
  <body>
    ${documents.length > 1 ? `<nav style="margin: 1em">${links.join(' · ')}</nav>` : ''}
    <div id="reference"></div>
    <script src="/docs/swagger-ui-bundle.js"></script>
    <script src="/docs/initialize.js"></script>
  </body>
</html>
`;
}

/** Without the online validator, which would send the document to another host. */
function initializer(documents: ReferencePagesProps['documents']): string {
  const urls = documents.map(({ path }) => path);
  return `const urls = ${JSON.stringify(urls)};
SwaggerUIBundle({
  dom_id: '#reference',
  url: urls[new URLSearchParams(location.search).get('document') ?? 0] ?? urls[0],
  deepLinking: true,
  validatorUrl: null,
});
`;
}
