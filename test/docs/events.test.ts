import { join } from 'node:path';
import { expect, it } from 'vitest';
import { writeEventSchemas } from '#test/shared/bus/event-schemas.ts';
import { root } from './markdown-pages.ts';
import { writeEventsPage } from './write-events-page.ts';

it('docs/reference/events.md lists each event of the bus with the fields of its schema: run npx vitest run test/docs -u', async () => {
  await expect(writeEventsPage(writeEventSchemas())).toMatchFileSnapshot(join(root, 'docs/reference/events.md'));
});
