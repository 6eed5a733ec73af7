import { useState } from 'preact/hooks';
import { session } from '#console/data/session.ts';
import { useSharedValue } from '#console/data/shared-value.ts';

type LogSearch = {
  /** Whether the logs are to be searched now. */
  readonly isAsked: boolean;
  readonly ask: () => void;
};

/** A search of the logs, which costs on AWS: there it waits for a click. */
export function useLogSearch(): LogSearch {
  const isLaptop = useSharedValue(session)?.isLaptop === true;
  const [isAsked, setAsked] = useState(false);
  return { isAsked: isLaptop || isAsked, ask: () => setAsked(true) };
}

/** Stands where the result will be. @param label what the button says: a verb */
export function AskForLogs({ label, ask }: Pick<LogSearch, 'ask'> & { readonly label: string }) {
  return (
    <p>
      <button type="button" class="button" onClick={ask}>
        {label}
      </button>{' '}
      <span class="none">Searches logs, for which AWS charges.</span>
    </p>
  );
}
