import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { adaptAssembly } from '#tools/deploy/assembly/adapt-assembly.ts';

const template = { Resources: { Changes: { Type: 'AWS::Events::Archive' }, Bus: { Type: 'AWS::Events::EventBus' } } };

it('names the object of an adapted template by its new content, in each file that names the object', () => {
  const folder = mkdtempSync(join(tmpdir(), 'drawbridge-assembly-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const [from, to] = [join(folder, 'from'), join(folder, 'to')];
  const hash = 'a'.repeat(64);
  const files = {
    'shop-data.template.json': template,
    'shop-data.assets.json': {
      files: {
        [hash]: { source: { path: 'shop-data.template.json' }, destinations: { here: { objectKey: `${hash}.json` } } },
        bbbb: { source: { path: 'asset.bbbb' } },
      },
    },
    'manifest.json': { stackTemplateAssetObjectUrl: `s3://assets/${hash}.json` },
  };
  mkdirSync(from);
  for (const [name, content] of Object.entries(files)) writeFileSync(join(from, name), JSON.stringify(content));

  expect(adaptAssembly(from, to)).toMatchObject([{ ids: ['Changes'] }]);

  const read = (name: string) => readFileSync(join(to, name), 'utf8');
  const adapted = read('shop-data.template.json');
  expect(Object.keys(JSON.parse(adapted).Resources)).toEqual(['Bus']);
  const newHash = createHash('sha256').update(adapted).digest('hex');
  expect(JSON.parse(read('shop-data.assets.json')).files).toMatchObject({
    [newHash]: { destinations: { here: { objectKey: `${newHash}.json` } } },
    bbbb: {},
  });
  expect(read('manifest.json')).toContain(`s3://assets/${newHash}.json`);
  expect(read('manifest.json')).not.toContain(hash);
});
