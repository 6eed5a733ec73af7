import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, inject, it } from 'vitest';
import { repositoryRoot } from '#package/build/read-json.ts';
import { packedPackage, preparePackage, runInConsumer } from './packed-package.ts';

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
  'app.mjs': "import { App } from 'aws-cdk-lib'; import { Drawbridge, readSettings } from 'drawbridge/cdk';",
  'app.cjs': "const { App } = require('aws-cdk-lib'); const { Drawbridge, readSettings } = require('drawbridge/cdk');",
};

beforeAll(preparePackage);

describe('drawbridge/cdk, installed from the tarball', () => {
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
