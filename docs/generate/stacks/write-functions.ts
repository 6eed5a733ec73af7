import * as z from 'zod';
import { replaceGenerated } from '#docs/generate/generated.ts';
import type { ReadableResource } from '#test/infra/stacks/readable-stack.ts';

const described = z.looseObject({ Description: z.string() });

/** `docs/explanation/architecture.md` with the list of the deployed functions. */
export function writeFunctions(page: string, service: readonly ReadableResource[]): string {
  const items = service
    .filter(({ Type }) => Type === 'AWS::Lambda::Function')
    .map(({ name, Properties }) => `- \`${name.split('/').at(-1)}\`: ${described.parse(Properties).Description}`)
    .toSorted();
  return replaceGenerated(page, 'functions', items.join('\n'));
}
