import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Writes a file that only this user can read, in a folder that git leaves out.
 *
 * @param folder has nothing but such files
 * @returns the path of the file
 * @throws if the file cannot be written
 */
export function writePrivateFile(folder: string, name: string, text: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  writeFileSync(join(folder, '.gitignore'), '*\n');
  const file = join(folder, name);
  writeFileSync(file, text, { mode: 0o600 });
  return file;
}
