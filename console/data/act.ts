import type { ActionInput, ActionName } from '#cli/console/actions/actions.ts';
import type { ActionResult, Preview } from '#cli/console/actions/define-action.ts';
import type { ConsoleProblem } from '#cli/console/server/console-app.ts';
import { ConsoleError, request } from './read.ts';

/** A preview, and the id that confirms it. */
export type Previewed = { readonly confirmation: string; readonly preview: Preview };

export type Progress = { readonly done: number; readonly total?: number | undefined };

type Line = Partial<Progress> & { readonly result?: ActionResult; readonly problem?: ConsoleProblem };

const post = (path: string, body: unknown) =>
  request(path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) });

/** Asks what an action would do. @throws {ConsoleError} */
export async function preview<Name extends ActionName>(name: Name, input: ActionInput<Name>): Promise<Previewed> {
  const previewed: Previewed = await (await post(`/api/actions/${name}/preview`, input)).json();
  return previewed;
}

/** Does what was previewed. @throws {ConsoleError} */
export async function run(confirmation: string, onProgress: (progress: Progress) => void): Promise<ActionResult> {
  const answer = await post('/api/actions/run', { confirmation });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = '';
  for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
    text += part.value;
    const lines = text.split('\n');
    text = lines.pop() ?? '';
    for (const json of lines.filter((each) => each !== '')) {
      const line: Line = JSON.parse(json);
      if (line.problem !== undefined) throw new ConsoleError(line.problem);
      if (line.result !== undefined) return line.result;
      if (line.done !== undefined) onProgress({ done: line.done, total: line.total });
    }
  }
  throw new ConsoleError({
    message: 'The console server ended before the result. Read the page again to see it.',
    status: 0,
  });
}
