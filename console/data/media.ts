import { useEffect, useState } from 'preact/hooks';

/** Whether the window is narrow, as the style sheet has it. */
export function useIsNarrow(): boolean {
  const [isNarrow, setNarrow] = useState(() => query.matches);
  useEffect(() => {
    const update = () => setNarrow(query.matches);
    query.addEventListener('change', update);
    return () => query.removeEventListener('change', update);
  }, []);
  return isNarrow;
}

const query = matchMedia('(max-width: 760px)');
