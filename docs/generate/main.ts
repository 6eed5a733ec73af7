/** `npm run docs`: writes every page of the documentation that is generated from code. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { readCloudAssembly } from '#sandbox/aws/stacks/cloud-assembly.ts';
import { synthesize } from '#sandbox/aws/stacks/synthesize.ts';
import { requireNode24 } from '#sandbox/terminal/command-line.ts';
import { readStacks } from '#tools/stacks/readable-stack.ts';
import { createTrialApps } from '#tools/stacks/trial-apps.ts';
import { builtPages } from './built-pages.ts';
import { root } from './markdown-pages.ts';
import { generatedPages } from './pages.ts';

requireNode24();
const scratch = mkdtempSync(join(tmpdir(), 'drawbridge-docs-'));
try {
  const outputDirectory = join(scratch, 'laptop');
  await synthesize({ root, outputDirectory, environment: process.env, context: { environment: 'laptop' } });
  const sources = {
    stacks: readStacks(readCloudAssembly(outputDirectory)),
    trialApps: createTrialApps(() => mkdtempSync(join(scratch, 'trial-'))),
  };
  for (const [path, write] of Object.entries({ ...generatedPages(sources), ...builtPages(sources) })) {
    const file = join(root, path);
    const text = write();
    if (readTextOf(file) === text) continue;
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    process.stdout.write(`${path}\n`);
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

function readTextOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
