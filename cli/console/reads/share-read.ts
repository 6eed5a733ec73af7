/**
 * Lets readers share what costs requests: those that ask during a read get its answer, and so do those that ask within a
 * time after it. An error is not kept.
 *
 * @param keep in milliseconds
 */
export function shareRead<Answer>(read: () => Promise<Answer>, keep: number, now: () => Date): () => Promise<Answer> {
  let shared: Promise<Answer> | undefined;
  let until = Number.POSITIVE_INFINITY;
  return async () => {
    if (shared !== undefined && now().getTime() < until) return shared;
    const reading = read();
    shared = reading;
    until = Number.POSITIVE_INFINITY;
    try {
      const answer = await reading;
      if (shared === reading) until = now().getTime() + keep;
      return answer;
    } catch (error) {
      if (shared === reading) shared = undefined;
      throw error;
    }
  };
}
