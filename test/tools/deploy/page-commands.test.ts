import { describe, expect, it } from 'vitest';
import { commandsOf, PageError } from '#tools/deploy/page-commands.ts';

const page = `# Deploy

\`\`\`sh
npm ci
\`\`\`

## If it fails

\`\`\`sh
aws one
\`\`\`

### In detail

\`\`\`json
{}
\`\`\`

\`\`\`sh
aws two
\`\`\`

## Next

\`\`\`sh
aws three
\`\`\`

## See also
`;

describe('commandsOf', () => {
  it('returns the sh blocks of a section and its subsections, and none of the next section', () => {
    expect(commandsOf(page, 'If it fails')).toEqual(['aws one\n', 'aws two\n']);
    expect(commandsOf(page, 'Next')).toEqual(['aws three\n']);
  });

  it('refuses a section that the page lacks, and one without commands', () => {
    expect(() => commandsOf(page, 'If it works')).toThrow(PageError);
    expect(() => commandsOf(page, 'See also')).toThrow(PageError);
  });
});
