import * as z from 'zod';
import { readJson } from './read-json.ts';

/**
 * The oldest releases of the optional peers that work. npm refuses to install the package beside an older one, also for `/events` only.
 *
 * - aws-cdk-lib 2.270.0: the first in which `Validations` takes the ids of cdk-nag, with `::`. Its templates equal those of 2.276.0,
 *   except the background of the texts of the dashboard. 2.260.0 has no `addResourceDependency` either.
 * - constructs 10.5.0: what that CDK itself asks for.
 * - The SDK of January 2025, and the first release 5 of the signer: they sign the same.
 *
 * Before you raise one, or use a newer API of a peer, synthesize the stacks with the release that is named here.
 */
const oldestPeers = {
  'aws-cdk-lib': '2.270.0',
  constructs: '10.5.0',
  '@aws-sdk/credential-provider-node': '3.723.0',
  '@smithy/signature-v4': '5.0.0',
} as const;

/** A subpath of the package, such as `@drawbridge-partner/drawbridge/platform`. */
export type PackageEntry = {
  /** Below the name of the package. */
  readonly name: string;
  /** Its exports, from the root of the repository. */
  readonly source: string;
  /** The packages that it imports. The build refuses any other, so that no partner installs what they do not use. */
  readonly packages: readonly string[];
  /** The packages that an importer has anyway: optional peer dependencies. */
  readonly peers?: readonly (keyof typeof oldestPeers)[];
  /** Modules of the repository that another one stands in for. */
  readonly aliases?: Readonly<Record<string, string>>;
  /** Whether the ES module only hands on what the CommonJS file has: the code is in the package once, and no bundler can shake it. */
  readonly isCommonJs?: boolean;
};

/** Every subpath. `package/tsconfig.json` lists the same sources for their declarations. */
export const entries: readonly PackageEntry[] = [
  { name: 'events', source: 'package/exports/events.ts', packages: ['zod'] },
  { name: 'platform', source: 'package/exports/platform.ts', packages: ['zod'] },
  {
    name: 'client',
    source: 'package/exports/client.ts',
    packages: ['zod'],
    // Who has a client of the AWS SDK has both.
    peers: ['@aws-sdk/credential-provider-node', '@smithy/signature-v4'],
  },
  {
    name: 'testing',
    source: 'package/exports/testing.ts',
    packages: ['zod'],
    isCommonJs: true,
    aliases: { '#package/testing/command-file.ts': './package/testing/built-command-file.ts' },
  },
  {
    name: 'cdk',
    source: 'package/exports/cdk.ts',
    packages: ['zod'],
    peers: ['aws-cdk-lib', 'constructs'],
    isCommonJs: true,
    aliases: { '#infra/bundles/function-code.ts': './infra/bundles/prebuilt-code.ts' },
  },
];

const repository = z.object({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  /** Where the sources are. npm publishes no provenance without it. */
  repository: z.object({ type: z.literal('git'), url: z.string() }).optional(),
  type: z.string(),
  dependencies: z.record(z.string(), z.string()),
});

/** What a program reads: the API, the events, the policies of the person who deploys, and the settings. */
const documentExports = {
  './openapi.json': './openapi.json',
  './asyncapi.json': './asyncapi.json',
  './schemas/events/*.json': './docs/built/events/*.json',
  './policies/*.json': './docs/reference/deployment/*.json',
  './settings.schema.json': './settings.schema.json',
};

/** The package.json of the package, from that of the repository: the version has one home. */
export function packageJson(all: readonly PackageEntry[] = entries) {
  const { dependencies, ...root } = repository.parse(readJson('package.json'));
  const packages = [...new Set(all.flatMap((entry) => entry.packages))].toSorted();
  const peers = [...new Set(all.flatMap((entry) => entry.peers ?? []))].toSorted();
  return {
    ...root,
    publishConfig: { access: 'public', provenance: true },
    engines: { node: '>=22' },
    sideEffects: false,
    // All that the build writes. The template of `init` has a test, which tools take for a mistake if nothing is listed.
    files: ['*.cjs', '*.js', '*.json', '*.md', '*.txt', 'cli', 'docs', 'examples', 'functions', 'sandbox', 'types'],
    bin: { drawbridge: 'cli/drawbridge.js' },
    exports: {
      ...Object.fromEntries(all.map(({ name, source }) => [`./${name}`, conditionsOf(name, source)])),
      ...documentExports,
      './package.json': './package.json',
    },
    // For `moduleResolution: node` of TypeScript 5 and earlier, which reads no exports.
    typesVersions: {
      '*': Object.fromEntries(all.map(({ name, source }) => [name, [`${typesOf(source)}.d.ts`]])),
    },
    // A range, so that the partner's own zod is the same one: schemas are handed over.
    dependencies: Object.fromEntries(packages.map((name) => [name, `^${dependencies[name]}`])),
    // Optional, or npm would install the CDK with the client.
    peerDependencies: Object.fromEntries(peers.map((name) => [name, `^${oldestPeers[name]}`])),
    peerDependenciesMeta: Object.fromEntries(peers.map((name) => [name, { optional: true }])),
  };
}

function conditionsOf(name: string, source: string) {
  const types = typesOf(source);
  return {
    import: { types: `${types}.d.ts`, default: `./${name}.js` },
    require: { types: `${types}.d.cts`, default: `./${name}.cjs` },
  };
}

/** The declarations of a source in the package, without their extension. */
function typesOf(source: string): string {
  return `./types/${source.replace(/\.ts$/, '')}`;
}
