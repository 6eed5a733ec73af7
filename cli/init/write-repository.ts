import { cpSync, globSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** The name in the files of the template, which that of the new repository replaces. */
const templateName = 'my-bank';

export type NewRepository = {
  /** Becomes the name of the npm package and of the stacks. */
  readonly name: string;
  /** What package.json has for the package `drawbridge`: a version, or a file. */
  readonly drawbridge: string;
};

/** Writes a repository of a partner into a folder, from the template of the package. */
export function writeRepository(template: string, folder: string, { name, drawbridge }: NewRepository): void {
  cpSync(template, folder, { recursive: true });
  // npm packs no .gitignore.
  renameSync(join(folder, 'gitignore'), join(folder, '.gitignore'));
  for (const path of globSync('**/*.{ts,json,md}', { cwd: folder })) {
    const text = readFileSync(join(folder, path), 'utf8');
    writeFileSync(join(folder, path), text.replaceAll(templateName, name));
  }
  // The version of the dependency: a script has the same name.
  const packageFile = join(folder, 'package.json');
  const text = readFileSync(packageFile, 'utf8');
  writeFileSync(packageFile, text.replace(/("drawbridge": )"\d[^"]*"/, `$1${JSON.stringify(drawbridge)}`));
}
