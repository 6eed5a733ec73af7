import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A block of commands, and the output that the page shows directly below it. */
export type Lesson = { readonly commands: string; readonly shown: string | undefined };

const page = readFileSync(join(dirname(dirname(import.meta.dirname)), 'docs/tutorial.md'), 'utf8');

const lessons: readonly Lesson[] = [...page.matchAll(/```(\w+)\n(.*?)```/gs)].flatMap(
  ([, kind, text = ''], index, all) => {
    const [, nextKind, shown] = all[index + 1] ?? [];
    return kind === 'sh' ? [{ commands: text, shown: nextKind === 'sh' ? undefined : shown }] : [];
  },
);

/** The lesson that starts the sandbox, in the first terminal of the reader. */
export const startLesson = lessons.find(({ commands }) => commands.startsWith('npm start'));

/** The lessons in the second terminal. Those in the first one are `git clone`, `npm ci` and `npm start`. */
export const furtherLessons = lessons.filter(({ commands }) => !/^(git|npm) /.test(commands));

/** Replaces what differs on each machine. */
function normalized(output: string): string {
  return output
    .replaceAll(/[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}/g, 'id')
    .replaceAll(/\b[\da-f]{64}\b/g, 'hash')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time');
}

/** Parses JSON output, because the page shows JSON with more white space than the answers have. */
export function comparable(output: string): unknown {
  const text = normalized(output).trim();
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
