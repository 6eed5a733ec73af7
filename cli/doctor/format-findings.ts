import { wrapText } from '#cli/output/wrap-text.ts';
import type { Finding } from './findings.ts';

const results = ['good', 'problem', 'unknown'] as const satisfies readonly Finding['result'][];
const resultWidth = Math.max(...results.map(({ length }) => length)) + 2;
const indent = ' '.repeat(resultWidth);

/** Findings for a terminal: what to do about one is below it, on a line of its own. */
export function formatFindings(findings: readonly Finding[], width: number): string {
  return findings
    .map(({ check, result, detail, remedy }) => {
      const finding = wrapText(`${result.padEnd(resultWidth)}${check}: ${detail}`, { width, indent });
      return remedy === undefined ? finding : `${finding}\n${formatRemedy(remedy, width)}`;
    })
    .join('\n');
}

/** A command stays on one line, so that it can be copied. */
function formatRemedy(remedy: string, width: number): string {
  const isCommand = /^(drawbridge|aws) [^,]*$/.test(remedy);
  return wrapText(`${indent}→ ${remedy}`, {
    width: isCommand ? Number.POSITIVE_INFINITY : width,
    indent: `${indent}  `,
  });
}
