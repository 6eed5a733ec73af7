import { useCallback, useEffect, useState } from 'preact/hooks';
import type { ReadAnswer, ReadName, ReadQuery } from '#cli/console/reads/reads.ts';
import type { ConsoleProblem } from '#cli/console/server/console-app.ts';
import { connection } from './live.ts';
import { sessionHeaders } from './session-token.ts';
import { useSharedValue } from './shared-value.ts';

/** The server refused a request, or does not answer: `status` is 0 then. */
export class ConsoleError extends Error {
  override readonly name = 'ConsoleError';
  readonly status: number;

  constructor({ message, status }: ConsoleProblem) {
    super(message);
    this.status = status;
  }
}

type PageRequest = Pick<RequestInit, 'method' | 'body'> & { readonly headers?: Readonly<Record<string, string>> };

/** @throws {ConsoleError} */
export async function request(path: string, { headers, ...init }: PageRequest = {}): Promise<Response> {
  const answer = await fetch(path, { ...init, headers: { ...headers, ...sessionHeaders() } }).catch(() => undefined);
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

/** Reads when a page opens, when its query changes, and on `reload`. @param query undefined if nothing is to be read yet */
export function useRead<Name extends ReadName>(
  name: Name,
  query: ReadQuery<Name> | undefined,
): ReadState<ReadAnswer<Name>> {
  const reading = query && { key: JSON.stringify([name, query]), read: () => read(name, query) };
  return useReading(reading);
}

type Found<Answer> = Omit<ReadState<Answer>, 'reload'> & { readonly key: string | undefined };

/** Something that is read: another key is another thing. */
export type Reading<Answer> = { readonly key: string; readonly read: () => Promise<Answer> };

/** Reads when a page opens, when the key changes, and on `reload`. @param reading undefined if nothing is to be read yet */
export function useReading<Answer>(reading: Reading<Answer> | undefined): ReadState<Answer> {
  const key = reading?.key;
  const nothing = { key, answer: undefined, error: undefined, isLoading: reading !== undefined };
  const [found, setFound] = useState<Found<Answer>>(nothing);
  const [round, setRound] = useState(0);
  useEffect(() => {
    if (reading === undefined) return;
    let isCurrent = true;
    setFound((before) => {
      if (before.key !== key) return nothing;
      // What is not there stays so while it is read again.
      const error = before.error?.status === 404 ? before.error : undefined;
      return { ...before, error, isLoading: true };
    });
    reading.read().then(
      (answer) => {
        if (isCurrent) setFound({ key, answer, error: undefined, isLoading: false });
      },
      (error: ConsoleError) => {
        if (isCurrent) setFound((before) => ({ ...before, error, isLoading: false }));
      },
    );
    return () => {
      isCurrent = false;
    };
  }, [key, round]);
  // For a moment, what was found is of the key before.
  const { answer, error, isLoading } = found.key === key ? found : nothing;
  const isConnected = useSharedValue(connection) === 'open';
  useEffect(() => {
    // The server answers again.
    if (isConnected && error?.status === 0) setRound((before) => before + 1);
  }, [isConnected]);
  const reload = useCallback(() => setRound((before) => before + 1), []);
  return { answer, error, isLoading, reload };
}
