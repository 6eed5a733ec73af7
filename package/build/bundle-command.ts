import { chmodSync, copyFileSync, cpSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { brotliCompressSync, constants } from 'node:zlib';
import { type BuildOptions, build, type Metafile, type Plugin } from 'esbuild';
import { buildAssets } from '#cli/console/assets/build-assets.ts';
import { repositoryRoot } from './read-json.ts';

/** What the pages of the laptop load in the browser. */
const viewerFiles = ['swagger-ui.css', 'swagger-ui-bundle.js'];

/** Where the command is in the package. */
const commandFolder = 'cli';

const options = {
  absWorkingDir: repositoryRoot,
  bundle: true,
  platform: 'node',
  format: 'esm',
  // As the functions do: an ES module of the AWS SDK is bundled without the operations that no command calls.
  mainFields: ['module', 'main'],
  minifyWhitespace: true,
  minifySyntax: true,
  // A stack trace says where an error was.
  minifyIdentifiers: false,
  // Escapes would double what is not ASCII.
  charset: 'utf8',
  legalComments: 'none',
  logLevel: 'warning',
  metafile: true,
} satisfies BuildOptions;

/** dynalite requires its operations by computed names without `.js`, under which esbuild finds no file. */
const dynaliteOperations: Plugin = {
  name: 'dynalite-operations',
  setup: ({ onLoad }) => {
    onLoad({ filter: /node_modules\/dynalite\/index\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      const contents = text.replaceAll(
        /require\(('\.\/(?:actions|validations)\/') \+ action\)/g,
        "require($1 + action + '.js')",
      );
      if (contents === text) throw new Error('dynalite names its operations in another way: change this plugin.');
      return { contents };
    });
  },
};

/** zod has its messages in 50 languages: a bundle that uses `z` as an object holds all of them. */
const englishOnly: Plugin = {
  name: 'english-only',
  setup: ({ onLoad }) => {
    onLoad({ filter: /node_modules\/zod\/v4\/locales\/index\.js$/ }, () => ({
      contents: "export { default as en } from './en.js';",
    }));
  },
};

/**
 * Bundles the command line with all that it needs, the laptop included, so that no partner installs these packages. A command
 * loads only its own part: `init` runs on Node 22, and never loads the laptop.
 *
 * @returns what the bundles hold
 */
export async function bundleCommand(directory: string): Promise<readonly Metafile[]> {
  const folder = join(directory, commandFolder);
  const command = await build({
    ...options,
    entryPoints: ['cli/main.ts'],
    outdir: folder,
    splitting: true,
    target: 'node22',
    alias: {
      '#sandbox/laptop-files.ts': './package/command/laptop-files.ts',
      '#cli/init/package-folder.ts': './package/command/package-folder.ts',
      '#cli/start/own-bundlings.ts': './package/command/own-bundlings.ts',
      '#cli/console/assets/console-assets.ts': './package/command/console-assets.ts',
      level: './package/command/level.ts',
      '@viz-js/viz': './package/command/viz.ts',
    },
    plugins: [dynaliteOperations, englishOnly],
    // What is CommonJS in the bundle requires modules of Node.
    banner: {
      js: "import { createRequire as createRequireOfBundle } from 'node:module'; const require = createRequireOfBundle(import.meta.url);",
    },
  });
  refuseOwnFolders(command.metafile);
  const bootstrap = await build({
    ...options,
    entryPoints: [
      { in: 'sandbox/aws/lambda/bootstrap.ts', out: 'bootstrap' },
      { in: 'cli/start/record-bundling.ts', out: 'record-bundling' },
    ],
    outdir: folder,
    target: 'node24',
  });
  const executable = join(folder, 'drawbridge.js');
  copyFileSync(join(repositoryRoot, 'package/command/drawbridge.js'), executable);
  chmodSync(executable, 0o755);
  mkdirSync(join(folder, 'viewer'));
  const viewer = join(repositoryRoot, 'node_modules/swagger-ui-dist');
  for (const file of viewerFiles) compress(join(viewer, file), join(folder, 'viewer', `${file}.br`));
  compress(join(repositoryRoot, 'node_modules/@viz-js/viz/dist/viz.cjs'), join(folder, 'viz.cjs.br'));
  await writeConsole(join(folder, 'console'));
  copyTemplate(join(folder, 'template'));
  return [command.metafile, bootstrap.metafile];
}

/** Brotli packs large files by a fifth better than gzip, which npm uses for all. */
function compress(from: string, to: string): void {
  const bytes = readFileSync(from);
  writeFileSync(to, brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length } }));
}

/** A module in the bundle is no longer in its folder, so that a path from there leads to no file. @throws naming the module */
function refuseOwnFolders({ outputs }: Metafile): void {
  const inputs = Object.values(outputs).flatMap((output) => Object.keys(output.inputs));
  const ours = inputs.filter((path) => !path.includes('node_modules/') && !path.startsWith('package/command/'));
  const found = ours.find((path) => readFileSync(join(repositoryRoot, path), 'utf8').includes('import.meta.'));
  if (found !== undefined)
    throw new Error(
      `${found} finds files by its own folder. Name them in sandbox/laptop-files.ts, for which the package has another module.`,
    );
}

/** The pages of the console, which the repository bundles when they are first served. */
async function writeConsole(folder: string): Promise<void> {
  mkdirSync(folder);
  for (const [path, { body }] of await buildAssets(repositoryRoot)) writeFileSync(join(folder, basename(path)), body);
}

/** What npm and the CDK write into the folder of the example when someone tries it. */
const written = ['node_modules', 'cdk.out', '.sandbox', 'package-lock.json'];

/** The repository that `drawbridge init` writes. */
function copyTemplate(folder: string): void {
  const filter = (path: string) => !written.includes(basename(path));
  cpSync(join(repositoryRoot, 'examples/my-bank'), folder, { recursive: true, filter });
  // npm packs no .gitignore.
  renameSync(join(folder, '.gitignore'), join(folder, 'gitignore'));
}
