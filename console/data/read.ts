import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import type { ReadAnswer, ReadName, ReadQuery } from '#cli/console/reads/reads.ts';
import type { ConsoleProblem } from '#cli/console/server/console-app.ts';
import { connection } from './live.ts';
import { useStore } from './store.ts';

/** The server refused a request, or does not answer: `status` is 0 then. */
export class ConsoleError extends Error {
  override readonly name = 'ConsoleError';
  readonly status: number;

  constructor({ message, status }: ConsoleProblem) {
    super(message);
    this.status = status;
  }
}

/** @throws {ConsoleError} */
export async function request(path: string, init: RequestInit = {}): Promise<Response> {
  const answer = await fetch(path, init).catch(() => undefined);
  if (answer === undefined)
    throw new ConsoleError({ message: 'The console server does not answer. Was it stopped?', status: 0 });
  if (answer.ok) return answer;
  const problem: ConsoleProblem = await answer
    .json()
    .catch(() => ({ message: `The console server answered ${answer.status}.`, status: answer.status }));
  throw new ConsoleError(problem);
}

/** Reads something of the deployment. @throws {ConsoleError} */
export async function read<Name extends ReadName>(name: Name, query: ReadQuery<Name>): Promise<ReadAnswer<Name>> {
  const parameters = new URLSearchParams();
  for (const [key, value] of Object.entries(query))
    if (typeof value === 'string' && value !== '') parameters.set(key, value);
  const answer = await request(`/api/read/${name}?${parameters}`);
  const content: ReadAnswer<Name> = await answer.json();
  return content;
}

/** What a page has of a read: the latest answer stays while the next one is on its way. */
export type ReadState<Answer> = {
  readonly answer: Answer | undefined;
  readonly error: ConsoleError | undefined;
  readonly isLoading: boolean;
  readonly reload: () => void;
};

/** Reads when a page opens, when its query changes, and on `reload`. @param query undefined where nothing is to be read yet */
export function useRead<Name extends ReadName>(
  name: Name,
  query: ReadQuery<Name> | undefined,
): ReadState<ReadAnswer<Name>> {
  const reading = query && { key: JSON.stringify([name, query]), read: () => read(name, query) };
  return useReading(reading);
}

/** Something that is read: another key is another thing. */
export type Reading<Answer> = { readonly key: string; readonly read: () => Promise<Answer> };

/** Reads when a page opens, when the key changes, and on `reload`. @param reading undefined where nothing is to be read yet */
export function useReading<Answer>(reading: Reading<Answer> | undefined): ReadState<Answer> {
  const [state, setState] = useState<Omit<ReadState<Answer>, 'reload'>>({
    answer: undefined,
    error: undefined,
    isLoading: reading !== undefined,
  });
  const [round, setRound] = useState(0);
  const key = reading?.key;
  const shown = useRef<string | undefined>(undefined);
  const absent = useRef<string | undefined>(undefined);
  useEffect(() => {
    if (reading === undefined) return;
    let isCurrent = true;
    const isSame = shown.current === key;
    // What is not there stays so while it is read again.
    const isAbsent = absent.current === key;
    setState((before) => ({
      answer: isSame ? before.answer : undefined,
      error: isAbsent ? before.error : undefined,
      isLoading: true,
    }));
    reading.read().then(
      (answer) => {
        shown.current = key;
        absent.current = undefined;
        if (isCurrent) setState({ answer, error: undefined, isLoading: false });
      },
      (error: ConsoleError) => {
        absent.current = error.status === 404 ? key : undefined;
        if (isCurrent) setState((before) => ({ ...before, error, isLoading: false }));
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [key, round]);
  const isConnected = useStore(connection) === 'open';
  useEffect(() => {
    // The server answers again.
    if (isConnected && state.error?.status === 0) setRound((before) => before + 1);
  }, [isConnected]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  return { ...state, reload };
}
