import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, globSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { entries, packageJson } from '#package/build/entries.ts';
import { readJson, repositoryRoot } from '#package/build/read-json.ts';
import { version } from '#shared/version.ts';
import { freePort } from '#test/free-port.ts';
import { compileInConsumer, packedPackage, preparePackage, runInConsumer, tarballBytes } from './packed-package.ts';

const names = entries.map(({ name }) => name);

beforeAll(preparePackage);

describe('the package', () => {
  it('holds each subpath as ES module and CommonJS, declarations, and no source of the repository', () => {
    const bundles = names.flatMap((name) => ['js', 'cjs'].map((extension) => `${name}.${extension}`));
    const { files } = packedPackage();
    const declarations = files.filter((path) => /^types\/(package|shared|infra|functions)\/.+\.d\.c?ts$/.test(path));
    // Names with hashes, and the repositories of partners, which have tests of their own.
    const parts = files.filter((path) => /^(cli\/([\w-]+-[A-Z0-9]{8}\.js$|template\/)|examples\/)/.test(path));
    const documents = files.filter((path) => /^(docs|sandbox)\/.+\.(md|json)$/.test(path));
    const functions = globSync('functions/*/*/lambda.ts', { cwd: repositoryRoot });
    expect(
      files.filter((path) => [declarations, parts, documents].every((known) => !known.includes(path))).toSorted(),
    ).toEqual(
      [
        'CHANGELOG.md',
        'LICENSE',
        'README.md',
        'SECURITY.md',
        'asyncapi.json',
        'openapi.json',
        'THIRD-PARTY-NOTICES.txt',
        'package.json',
        'settings.schema.json',
        'cli/bootstrap.js',
        'cli/console/console.css',
        'cli/console/console.js',
        'cli/console/live-worker.js',
        'cli/drawbridge.js',
        'cli/main.js',
        'cli/record-bundling.js',
        'cli/viewer/swagger-ui-bundle.js.br',
        'cli/viewer/swagger-ui.css.br',
        'cli/viz.cjs.br',
        ...bundles,
        ...functions.flatMap((entry) => ['function.cjs', 'index.mjs'].map((file) => entry.replace('lambda.ts', file))),
      ].toSorted(),
    );
    expect(declarations.length).toBeGreaterThan(names.length);
  });

  it('has the version of the repository, and only the dependencies that its subpaths declare', () => {
    expect(packageJson()).toMatchObject({ version });
    expect(Object.keys(packageJson().dependencies)).toEqual(['zod']);
  });

  it('can be published with provenance, and has its checksum beside it', () => {
    const { built, tarball } = packedPackage();
    const manifest = JSON.parse(readFileSync(join(built, 'package.json'), 'utf8'));
    expect(manifest).toMatchObject({ publishConfig: { access: 'public', provenance: true } });
    expect(manifest).not.toHaveProperty('private');
    const sums = join(dirname(tarball), 'SHA256SUMS');
    const digest = createHash('sha256').update(readFileSync(tarball)).digest('hex');
    expect(readFileSync(sums, 'utf8')).toBe(`${digest}  ${basename(tarball)}\n`);
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

describe('every subpath, installed from the tarball', () => {
  it('is imported by an ES module, and required by CommonJS, with the same names', async () => {
    const script = (load: (name: string) => string) =>
      names
        .map(
          (name) =>
            `console.log('${name}', Object.keys(${load(name)}).filter((one) => one !== 'default').sort().join());`,
        )
        .join('\n');
    const es = await runInConsumer(
      'es.mjs',
      script((name) => `await import('@drawbridge-partner/drawbridge/${name}')`),
    );
    const cjs = await runInConsumer(
      'cjs.cjs',
      script((name) => `require('@drawbridge-partner/drawbridge/${name}')`),
    );
    const lines = es.trim().split('\n');
    expect(lines.map((line) => line.split(' ')[0])).toEqual(names);
    for (const line of lines) expect(line.split(',').length, line).toBeGreaterThan(1);
    expect(cjs).toBe(es);
  });

  it('has declarations that compile strictly for both, libraries included', () => {
    const files = names.flatMap((name) => [`${name}.mts`, `${name}.cts`]);
    for (const file of files)
      writeFileSync(
        join(packedPackage().consumer, file),
        `import * as all from '@drawbridge-partner/drawbridge/${file.slice(0, -'.mts'.length)}';\nexport const used = Object.keys(all);\n`,
      );
    expect(compileInConsumer(files)).toBe('');
  });
});

describe('drawbridge/testing, installed from the tarball', () => {
  it('starts and stops the platform in node:test', async () => {
    const test = `
    import { test } from 'node:test';
    import { startPlatform } from '@drawbridge-partner/drawbridge/testing';
    test('platform', async () => {
      const platform = await startPlatform({ frozenAt: new Date('2026-01-31T08:00:00Z') });
      console.log((await platform.clock.now()).toISOString());
      await platform.stop();
    });`;
    const printed = await runInConsumer('kit.test.mjs', test);
    expect(printed).toContain('2026-01-31T08:00:00.000Z');
    expect(printed).toMatch(/pass 1\n/);
  });
});

describe('@drawbridge-partner/drawbridge/cdk, installed from the tarball', () => {
  /** An app of a partner, without a tool that strips types or bundles. */
  const app = (imports: string) => `
  ${imports}
  const context = { environment: 'laptop', 'aws:cdk:enable-path-metadata': true };
  const app = new App({ analyticsReporting: false, outdir: process.env.OUTPUT, context });
  const { name, settings } = readSettings(app.node, ${JSON.stringify(join(repositoryRoot, 'settings'))});
  new Drawbridge(app, 'Drawbridge', { environmentName: name, settings });
  app.synth();
  `;

  const imports = {
    'app.mjs':
      "import { App } from 'aws-cdk-lib'; import { Drawbridge, readSettings } from '@drawbridge-partner/drawbridge/cdk';",
    'app.cjs':
      "const { App } = require('aws-cdk-lib'); const { Drawbridge, readSettings } = require('@drawbridge-partner/drawbridge/cdk');",
  };

  it.each(Object.entries(imports))(
    'synthesizes the templates of this repository in %s, the code of functions included',
    async (name, text) => {
      const output = join(packedPackage().consumer, `${name}.out`);
      await runInConsumer(name, app(text), { OUTPUT: output, CDK_VALIDATION: 'false' });
      const templates = globSync('*.template.json', { cwd: output }).toSorted();
      expect(templates).toHaveLength(2);
      // Each template names the code of its functions by the hash of the bytes.
      for (const template of templates)
        expect(readFileSync(join(output, template), 'utf8')).toBe(
          readFileSync(join(inject('assembly'), template), 'utf8'),
        );
    },
  );
});

describe('the command drawbridge, installed from the tarball', () => {
  const environment = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env['PATH']}` };

  /** What npm links: `npx --no -- drawbridge` runs it. */
  const command = () => join(packedPackage().consumer, 'node_modules/.bin/drawbridge');
  let platform: ChildProcess | undefined;
  afterAll(() => platform?.kill());

  it('names pages of the documentation that the package has', async () => {
    const { stdout } = await promisify(execFile)(command(), ['onboardings', 'start', '--help'], { env: environment });
    const [page = ''] = /\/\S*onboard\.md/.exec(stdout.replaceAll(/\n\s+/g, '')) ?? [];
    expect(existsSync(page), stdout).toBe(true);
  });

  it('runs the sandbox platform, with its documents and their viewer', async () => {
    const port = await freePort();
    platform = spawn(command(), ['platform', '--port', String(port)], {
      cwd: packedPackage().consumer,
      env: environment,
    });
    let printed = '';
    for (const stream of [platform.stdout, platform.stderr]) stream?.on('data', (chunk) => (printed += String(chunk)));
    await expect.poll(() => printed).toContain('press Ctrl-C');
    const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
    for (const path of ['/openapi.json', '/docs', '/docs/swagger-ui-bundle.js', '/docs/swagger-ui.css'])
      expect(await statusOf(path), path).toBe(200);
  });
});
