import * as z from 'zod';

/** What the registry answered: how many known vulnerabilities there are, or why it did not say. */
export type Audit =
  | { readonly vulnerabilities: number; readonly names: readonly string[] }
  | { readonly unanswered: string };

const report = z.object({
  metadata: z.object({ vulnerabilities: z.object({ total: z.number() }) }),
  vulnerabilities: z.record(z.string(), z.unknown()).default({}),
});

const failure = z.object({
  error: z.looseObject({ summary: z.string().default('') }).optional(),
  message: z.string().default(''),
});

/** Reads what `npm audit --json` printed. A registry that has no advisories is no answer. */
export function readAudit(printed: string): Audit {
  const text = parseJson(printed);
  const answer = report.safeParse(text);
  if (answer.success) {
    const { metadata, vulnerabilities } = answer.data;
    return { vulnerabilities: metadata.vulnerabilities.total, names: Object.keys(vulnerabilities).toSorted() };
  }
  const { error, message } = failure.catch({ message: '' }).parse(text);
  return { unanswered: message || error?.summary || 'npm audit printed no report.' };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
