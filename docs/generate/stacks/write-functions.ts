import * as z from 'zod';
import { writeTable } from '#docs/generate/write-table.ts';
import type { ReadableResource } from '#tools/stacks/readable-stack.ts';

const described = z.looseObject({ Description: z.string() });

/** `docs/explanation/architecture.md` with the table of the deployed functions. */
export function writeFunctions(page: string, service: readonly ReadableResource[]): string {
  const rows = service
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ name, Properties }) => [`\`${name.split('/').at(-1)}\``, described.parse(Properties).Description])
    .toSorted(([one = ''], [other = '']) => (one < other ? -1 : 1));
  const table = writeTable(['Function', 'Does'], rows);
  return page.replace(/(?<=<!-- functions -->\n)[\s\S]*?(?=<!-- \/functions -->)/, () => `${table}\n`);
}
