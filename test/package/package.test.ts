import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { entries, packageJson } from '#package/build/entries.ts';
import { readJson, repositoryRoot } from '#package/build/read-json.ts';
import { version } from '#shared/version.ts';
import { compileInConsumer, packedPackage, preparePackage, runInConsumer, tarballBytes } from './packed-package.ts';

const names = entries.map(({ name }) => name);

beforeAll(preparePackage);

describe('the package', () => {
  it('holds each subpath as ES module and CommonJS, declarations, and no source of the repository', () => {
    const bundles = names.flatMap((name) =>
      ['js', 'cjs'].flatMap((extension) => [`${name}.${extension}`, `${name}.${extension}.map`]),
    );
    const { files } = packedPackage();
    const declarations = files.filter((path) => /^types\/(package|shared|infra|functions)\/.+\.d\.c?ts$/.test(path));
    // Names with hashes, and the repository that init writes, which has a test of its own.
    const parts = files.filter((path) => /^cli\/([\w-]+-[A-Z0-9]{8}\.js$|template\/)/.test(path));
    const functions = globSync('functions/*/*/lambda.ts', { cwd: repositoryRoot });
    expect(files.filter((path) => !declarations.includes(path) && !parts.includes(path)).toSorted()).toEqual(
      [
        'LICENSE',
        'README.md',
        'THIRD-PARTY-NOTICES.txt',
        'package.json',
        'settings.schema.json',
        'cli/bootstrap.js',
        'cli/console/console.css',
        'cli/console/console.js',
        'cli/console/live-worker.js',
        'cli/drawbridge.js',
        'cli/main.js',
        'cli/openapi.json',
        'cli/viewer/swagger-ui-bundle.js',
        'cli/viewer/swagger-ui-standalone-preset.js',
        'cli/viewer/swagger-ui.css',
        ...bundles,
        ...globSync('docs/**/*.md', { cwd: repositoryRoot }),
        ...functions.flatMap((entry) => ['function.cjs', 'index.mjs'].map((file) => entry.replace('lambda.ts', file))),
      ].toSorted(),
    );
    expect(declarations.length).toBeGreaterThan(names.length);
  });

  it('has the version of the repository, and only the dependencies that its subpaths declare', () => {
    expect(packageJson()).toMatchObject({ version });
    expect(Object.keys(packageJson().dependencies)).toEqual(['zod']);
  });

  it('lists the same sources for its declarations as for its code', () => {
    const { files } = z.object({ files: z.array(z.string()) }).parse(readJson('package/tsconfig.json'));
    expect(files).toEqual(entries.map(({ source }) => source.replace('package/', '')));
  });

  it('has the notices of packages that its bundles hold, with version, licence and text', () => {
    const notices = readFileSync(join(packedPackage().built, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
    const packageFile = z.object({ version: z.string(), license: z.string() });
    for (const name of ['dynalite', 'fastify', 'zod', '@aws-sdk/client-dynamodb']) {
      const { version, license } = packageFile.parse(readJson(`node_modules/${name}/package.json`));
      expect(notices).toContain(`${name} ${version}: ${license}\n`);
    }
    expect(notices).not.toContain('vitest');
    expect(notices).toContain('Copyright (c) 2016-present The Fastify team');
  });

  it('is accepted by publint without a finding', async () => {
    const { messages } = await publint({ pack: { tarball: tarballBytes() }, strict: true });
    expect(messages).toEqual([]);
  });

  it('has declarations that resolve for ES modules, CommonJS, bundlers and earlier releases of TypeScript', async () => {
    const found = await checkPackage(createPackageFromTarballData(new Uint8Array(tarballBytes())));
    expect(found).toMatchObject({ types: { kind: 'included' }, problems: [] });
  });
});

describe.each(names)('drawbridge/%s, installed from the tarball', (name) => {
  it('is imported by an ES module, and required by CommonJS, with the same names', async () => {
    const script = (load: string) =>
      `console.log(Object.keys(${load}).filter((name) => name !== 'default').sort().join())`;
    const es = await runInConsumer('es.mjs', script(`await import('drawbridge/${name}')`));
    const cjs = await runInConsumer('cjs.cjs', script(`require('drawbridge/${name}')`));
    expect(es.trim().split(',').length).toBeGreaterThan(1);
    expect(cjs).toBe(es);
  });

  it('has declarations that compile strictly for both, libraries included', () => {
    const files = ['use.mts', 'use.cts'];
    const use = `import * as all from 'drawbridge/${name}';\nexport const used = Object.keys(all);\n`;
    for (const file of files) writeFileSync(join(packedPackage().consumer, file), use);
    expect(compileInConsumer(files)).toBe('');
  });
});
