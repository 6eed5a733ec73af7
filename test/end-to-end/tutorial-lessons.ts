import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** A block of commands, and the output that the page shows directly below it. */
export type Lesson = { readonly commands: string; readonly shown: string | undefined };

const page = readFileSync(join(dirname(dirname(import.meta.dirname)), 'docs/tutorial/survive-an-outage.md'), 'utf8');

const lessons: readonly Lesson[] = [...page.matchAll(/```(\w+)( tail)?\n(.*?)```/gs)].flatMap(
  ([, kind, , text = ''], index, all) => {
    const [, nextKind, , shown] = all[index + 1] ?? [];
    return kind === 'sh' ? [{ commands: text, shown: nextKind === 'sh' ? undefined : shown }] : [];
  },
);

/** The lesson that starts the sandbox, in the first terminal of the reader. */
export const startLesson = lessons.find(({ commands }) => commands.startsWith('npm start'));

/** The shell function that the reader defines in each other terminal. */
export const definition = lessons.find(({ commands }) => commands.startsWith('drawbridge()'))?.commands ?? '';

/** What runs in a terminal of its own, and lines that the page shows of its output. */
export const tailLesson = {
  commands: lessons.find(({ commands }) => commands.startsWith('drawbridge tail'))?.commands ?? '',
  lines: [...page.matchAll(/```text tail\n(.*?)```/gs)].flatMap(([, text = '']) => text.trim().split('\n')),
};

/** The lessons in the terminal of the reader for commands. */
export const furtherLessons = lessons.filter(
  ({ commands }) => !/^(git|npm) /.test(commands) && ![definition, tailLesson.commands].includes(commands),
);

const ids = /[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}|\b[\da-f]{64}\b|\bdlv-\d+/g;

/**
 * Removes what differs in each run: ids, times, the widths of columns, the steps that a watching command happens to see, and
 * the size of a body, because the platform writes times without trailing zeros.
 */
export function comparable(output: string): string {
  return output
    .replaceAll(ids, 'id')
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'time')
    .replaceAll(/^time +[A-Z_]+\n/gm, '')
    .replaceAll(/^sequence +\d+$/gm, 'sequence of a run')
    .replaceAll(/^body bytes +\d+$/gm, 'body bytes of a run')
    .replaceAll(/ +/g, ' ')
    .trim();
}

/** The ids of the page, each with that of a run in its place. The two texts are comparable. */
export function idsOfRun(shown: string, output: string): readonly (readonly [string, string])[] {
  const ofRun = output.match(ids) ?? [];
  return (shown.match(ids) ?? []).map((id, index) => [id, ofRun[index] ?? id]);
}

/** Commands of the page with the ids of a run. */
export function withIds(commands: string, known: ReadonlyMap<string, string>): string {
  return commands.replaceAll(ids, (id) => known.get(id) ?? id);
}
