import { createHash } from 'node:crypto';
import { cpSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { type Adapted, type Applied, adaptTemplate } from './adaptations.ts';
import { type Template, template } from './template.ts';

const assets = z.looseObject({
  files: z.record(z.string(), z.looseObject({ source: z.object({ path: z.string() }) })),
});

/**
 * Copies a cloud assembly with its templates adapted. CDK names the object of a template by its content, so that each
 * adapted template gets the name of its own content.
 *
 * @returns what was adapted in all templates
 */
export function adaptAssembly(
  from: string,
  to: string,
  adapt: (given: Template, stack: string) => Adapted = (given) => adaptTemplate(given),
): readonly Applied[] {
  rmSync(to, { recursive: true, force: true });
  cpSync(from, to, { recursive: true });
  return globSync('*.template.json', { cwd: to }).flatMap((file) => {
    const stack = file.replace(/\.template\.json$/, '');
    const text = readFileSync(join(to, file), 'utf8');
    const { template: adapted, applied } = adapt(template.parse(JSON.parse(text)), stack);
    writeTemplate(to, { stack, file, text: JSON.stringify(adapted, undefined, 1) });
    return applied;
  });
}

function writeTemplate(folder: string, { stack, file, text }: Record<'stack' | 'file' | 'text', string>): void {
  writeFileSync(join(folder, file), text);
  const assetsFile = join(folder, `${stack}.assets.json`);
  const { files } = assets.parse(JSON.parse(readFileSync(assetsFile, 'utf8')));
  const named = Object.keys(files).find((name) => files[name]?.source.path === file);
  if (named === undefined) return;
  const name = createHash('sha256').update(text).digest('hex');
  for (const path of [assetsFile, join(folder, 'manifest.json')])
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(named, name));
}
