import { useState } from 'preact/hooks';
import type { ConsoleError } from './read.ts';

/** What is read only when an operator asks, because a log records it or because it costs a call. */
export type ReadOnClick<Answer> = {
  readonly answer: Answer | undefined;
  readonly error: ConsoleError | undefined;
  readonly isLoading: boolean;
  readonly start: () => void;
};

export function useOnClick<Answer>(readNow: () => Promise<Answer>): ReadOnClick<Answer> {
  const [answer, setAnswer] = useState<Answer | undefined>(undefined);
  const [error, setError] = useState<ConsoleError | undefined>(undefined);
  const [isLoading, setLoading] = useState(false);
  const start = () => {
    setLoading(true);
    setError(undefined);
    readNow()
      .then(setAnswer, setError)
      .finally(() => setLoading(false));
  };
  return { answer, error, isLoading, start };
}
