/** The answer to one of several requests that were made together. Fails where this request failed, alone or with all. */
export type AnswerTo<Request, Answer> = (request: Request) => Answer | Promise<Answer>;

/** Makes several requests together. @throws when all of them failed */
export type AnswerAll<Request, Answer> = (requests: readonly Request[]) => Promise<AnswerTo<Request, Answer>>;

/**
 * Works on groups of requests concurrently. The requests of a group succeed or fail together, and wait for no other group.
 *
 * @param groupOf names the group of a request
 * @param work gives the answer to each request of a group
 */
export async function answerByGroup<Request, Answer extends object>(
  requests: readonly Request[],
  groupOf: (request: Request) => string,
  work: (group: readonly Request[]) => Promise<ReadonlyMap<Request, Answer>>,
): Promise<AnswerTo<Request, Answer>> {
  const works = [...Map.groupBy(requests, groupOf)].map(([name, group]) => [name, work(group)] as const);
  const byGroup = new Map(works);
  // A failure that nothing asks for fails no process.
  for (const [, working] of works) working.catch(() => undefined);
  return async (request) => {
    const answer = (await byGroup.get(groupOf(request)))?.get(request);
    if (answer === undefined) throw new RangeError('The request is not among those that were made.');
    return answer;
  };
}
