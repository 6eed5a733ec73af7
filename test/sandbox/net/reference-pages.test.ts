import { describe, expect, it } from 'vitest';
import { createApiPages } from '#sandbox/aws/http-api/api-pages.ts';
import { createReferencePages, type Page } from '#sandbox/net/reference-pages.ts';
import { startPlatformServer } from '#sandbox/platform/app/serve.ts';

const documents = [
  { name: 'One', path: '/openapi.json' },
  { name: 'Other', path: '/other/openapi.json' },
];
const pageOf = createReferencePages({ title: 'A sandbox', documents, overview: { routes: ['GET /a'] } });

const textOf = ({ body }: Page) => Buffer.from(body).toString();

describe('a reference page of a server', () => {
  it('loads every file of the viewer from the server itself', () => {
    const page = textOf(pageOf('/docs') ?? { headers: {}, body: '' });
    const loaded = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
    const files = loaded.filter((path) => !/^data:|document=/.test(path));
    expect(files).toHaveLength(3);
    for (const path of files) expect(pageOf(path)?.body.length, path).toBeGreaterThan(100);
    expect(page).not.toMatch(/https?:/);
    expect(loaded, page).toEqual(expect.arrayContaining(['/docs?document=0', '/docs?document=1']));
  });

  it('forbids the browser to load anything from elsewhere, and uses no online validator', () => {
    expect(pageOf('/docs')?.headers['content-security-policy']).toContain("default-src 'self'");
    expect(textOf(pageOf('/docs/initialize.js') ?? { headers: {}, body: '' })).toContain('validatorUrl: null');
  });
});

describe('a page of the laptop', () => {
  it('serves the document of the API with the laptop as its server', () => {
    const pages = createApiPages();
    const document = JSON.parse(textOf(pages('/openapi.json') ?? { headers: {}, body: '' }));
    expect(document).toMatchObject({ openapi: '3.1.0', servers: [{ url: '/' }] });
    expect(textOf(pages('/') ?? { headers: {}, body: '' })).toContain('GET /onboardings/{externalId}');
    expect(pages('/onboardings')).toBeUndefined();
  });
});

describe('a page of the sandbox platform', () => {
  it('is served without a token, and other paths need one', async () => {
    const onError = (error: unknown) => {
      throw error;
    };
    const { origin, close } = await startPlatformServer({ fetch, now: () => new Date(), onError });
    const statusOf = async (path: string) => (await fetch(`${origin}${path}`)).status;
    for (const path of ['/', '/docs', '/docs/swagger-ui.css']) expect(await statusOf(path), path).toBe(200);
    expect(await statusOf('/docs/elsewhere')).toBe(401);
    await close();
  });
});
