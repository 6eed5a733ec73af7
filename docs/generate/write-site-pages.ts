/** For docs/site: writes the documents of the package, with the pages of `npm run docs` and pictures, into `docs/site/pages/`. */
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { writeDocuments } from '#package/build/documents.ts';

const docs = join(import.meta.dirname, '..');
const pages = join(docs, 'site/pages');
const pictures = readdirSync(join(docs, 'images')).map((name) => `docs/images/${name}`);

rmSync(pages, { recursive: true, force: true });
writeDocuments(pages, join(docs, 'built'), pictures);
cpSync(join(docs, 'images'), join(pages, 'docs/images'), { recursive: true });
// A host serves what is in `public` as it is, at the place to which the pages link.
cpSync(join(docs, '../examples/clients'), join(pages, 'public/examples/clients'), { recursive: true });
