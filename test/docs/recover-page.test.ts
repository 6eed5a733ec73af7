import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as z from 'zod';
import { root } from './markdown-pages.ts';

const page = readFileSync(join(root, 'docs/how-to/recover.md'), 'utf8');

/** The saved templates of the release are those of the code: test/tools/release. */
const template = z.object({ Resources: z.record(z.string(), z.looseObject({ Type: z.string() })) });

it('docs/how-to/recover.md redrives queues of the stacks by their logical ids', () => {
  const redrives = [...page.matchAll(/^redrive (data|service) (\S+)$/gm)].map(([, stack = '', id = '']) => ({
    stack,
    id,
  }));
  expect(redrives).toHaveLength(2);
  for (const { stack, id } of redrives) {
    const file = join(root, `tools/releases/0.2.0/${stack}.template.json`);
    expect(template.parse(JSON.parse(readFileSync(file, 'utf8'))).Resources[id]?.Type).toBe('AWS::SQS::Queue');
  }
});
