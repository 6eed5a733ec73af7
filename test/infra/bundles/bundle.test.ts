import { execFileSync } from 'node:child_process';
import { globSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, inject, it } from 'vitest';
import * as z from 'zod';
import { bundleCuts, bundleFunction, repositoryRoot } from '#infra/bundles/bundle.ts';
import { readCloudAssembly } from '#sandbox/aws/stacks/cloud-assembly.ts';
import { deployedStack, pathOf, resourcesOf } from '#test/infra/deployed-stack.ts';

const directory = mkdtempSync(join(tmpdir(), 'drawbridge-bundle-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const entries = globSync('functions/*/*/lambda.ts', { cwd: repositoryRoot }).toSorted();

/** Each entry is bundled once. */
const bundles = new Map<string, ReturnType<typeof createBundle>>();

function bundle(entry: string) {
  const known = bundles.get(entry) ?? createBundle(entry);
  bundles.set(entry, known);
  return known;
}

function createBundle(entry: string) {
  const outputDirectory = mkdtempSync(join(directory, 'function-'));
  const { metafile, warnings } = bundleFunction(entry, outputDirectory);
  const [output, ...more] = Object.values(metafile.outputs);
  if (output === undefined || more.length > 0) throw new Error(`${entry} is bundled into ${more.length + 1} files.`);
  return { outputDirectory, metafile, output, warnings };
}

/** The CDK construct of an entry: `webhook-ingest/receive` is `WebhookIngest/Receive`. */
const constructOf = (entry: string) =>
  entry
    .replace(/^functions\/(.+)\/lambda\.ts$/, '$1')
    .replaceAll(/(?:^|[-/])\w/g, (first) => first.toUpperCase().replace('-', ''));

const properties = z.object({
  Code: z.object({ S3Key: z.string() }),
  Environment: z.object({ Variables: z.record(z.string(), z.unknown()) }),
});

/** The variables of a template. Values that only a deployment knows, such as the URL of a queue, are placeholders. */
function placeholderVariables(variables: Readonly<Record<string, unknown>>): Readonly<Record<string, string>> {
  const known = (value: unknown) => (typeof value === 'string' ? value : 'https://unresolved.example/none');
  return Object.fromEntries(Object.entries(variables).map(([name, value]) => [name, known(value)]));
}

const assets = new Map(readCloudAssembly(inject('assembly')).flatMap(({ assets: files }) => [...files]));
const deployed = resourcesOf(deployedStack('service'), 'AWS::Lambda::Function').map((lambda) => {
  const { Code, Environment } = properties.parse(lambda.Properties);
  return {
    construct: pathOf(lambda).slice(1, -2).join('/'),
    asset: assets.get(Code.S3Key.replace(/\.zip$/, '')) ?? '',
    variables: placeholderVariables(Environment.Variables),
  };
});

describe('the bundling of the functions', () => {
  it('makes a bundle of each entry, and of nothing else', () => {
    expect(deployed.map(({ construct }) => construct).toSorted()).toEqual(entries.map(constructOf).toSorted());
  });

  it.each(entries)('deploys %s as its own bundle', (entry) => {
    const asset = deployed.find(({ construct }) => construct === constructOf(entry))?.asset ?? '';
    const { outputDirectory } = bundle(entry);
    const files = ['function.cjs', 'index.mjs'];
    expect(readdirSync(asset).toSorted()).toEqual(files);
    for (const file of files)
      expect(readFileSync(join(asset, file)).equals(readFileSync(join(outputDirectory, file)))).toBe(true);
  });
});

describe.each(entries)('the bundle of %s', (entry) => {
  const { outputDirectory, metafile, output, warnings } = bundle(entry);
  const inputs = Object.entries(output.inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const included = inputs.map(([path]) => path);

  it('needs only the variables of its stack, and exports a handler', () => {
    const variables = deployed.find(({ construct }) => construct === constructOf(entry))?.variables;
    const env = { AWS_REGION: 'eu-central-1', ...variables };
    const module = pathToFileURL(join(outputDirectory, 'index.mjs')).href;
    const program = `import('${module}').then(({ handler }) => process.stdout.write(typeof handler, () => process.exit()))`;
    const written = execFileSync(process.execPath, ['-e', program], { cwd: directory, env, encoding: 'utf8' });
    // Receive logs before that line that it has no credentials to read its secret with.
    expect(written.split('\n').at(-1)).toBe('function');
  });

  it('reads each variable of its stack', () => {
    const code = ['function.cjs', 'index.mjs'].map((file) => readFileSync(join(outputDirectory, file), 'utf8')).join();
    const variables = deployed.find(({ construct }) => construct === constructOf(entry))?.variables;
    // Node itself reads its options.
    const names = Object.keys(variables ?? {}).filter((name) => name !== 'NODE_OPTIONS');
    expect(names.filter((name) => !code.includes(name))).toEqual([]);
  });

  it('loads only builtins from outside, and names what is left out of it in lazy imports', () => {
    const outside = output.imports.map(({ path }) => path.replace(/^node:/, ''));
    const packages = outside.filter((path) => !builtinModules.includes(path));
    expect(packages.filter((path) => !bundleCuts.external.includes(path))).toEqual([]);
  });

  it('calls AWS through clients of the SDK', () => {
    expect(included.filter((path) => /node_modules\/@aws-sdk\/client-/.test(path))).not.toEqual([]);
  });

  it('contains no provider of credentials but the one that reads the environment', () => {
    const providers = included.filter((path) => /credential-provider-|nested-clients|token-providers/.test(path));
    const names = new Set(providers.map((path) => /(?:@aws-sdk|@smithy)\/([^/]+)/.exec(path)?.[1]));
    expect([...names].toSorted()).toEqual(['credential-provider-env', 'credential-provider-node']);
  });

  it('contains no lazy import, because esbuild would wrap all modules behind it', () => {
    const lazy = included.flatMap(
      (path) => metafile.inputs[path]?.imports.filter(({ kind }) => kind === 'dynamic-import') ?? [],
    );
    expect(lazy.map(({ path }) => path).filter((path) => included.includes(path))).toEqual([]);
  });

  it('uses zod/mini instead of the whole of zod', () => {
    expect(included.filter((path) => /zod\/v4\/(classic|locales)\//.test(path))).toEqual([]);
    expect(included.some((path) => path.includes('zod/v4/mini/'))).toBe(true);
  });

  it('contains nothing of the sandbox, the tests, infra, the CLI or the tools, and no CommonJS, which no tree shaking shortens', () => {
    expect(included.filter((path) => /^(cli|infra|sandbox|test|tools)\/|dist-cjs/.test(path))).toEqual([]);
  });

  it('builds without a warning', () => {
    expect(warnings).toEqual([]);
  });
});

describe('the minimal bundle of receive', () => {
  const { output } = bundle('functions/webhook-ingest/receive/lambda.ts');
  const included = Object.keys(output.inputs).filter((path) => (output.inputs[path]?.bytesInOutput ?? 0) > 0);

  it.each(['client-dynamodb', 'dynamodb-codec', 'shared/events/event-store', 'shared/platform', 'canonicalize'])(
    'contains no module of %s',
    (part) => {
      expect(included.filter((path) => path.includes(part))).toEqual([]);
    },
  );
});
