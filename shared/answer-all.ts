/** The answer to one of several requests that were made together. @throws where this request failed, alone or with all */
export type AnswerTo<Request, Answer> = (request: Request) => Answer;

/** Makes several requests together. @throws when all of them failed */
export type AnswerAll<Request, Answer> = (requests: readonly Request[]) => Promise<AnswerTo<Request, Answer>>;

/**
 * Works on groups of requests concurrently. The requests of a group succeed or fail together.
 *
 * @param groupOf names the group of a request
 * @param work gives the answer to each request of a group
 */
export async function answerByGroup<Request, Answer extends object>(
  requests: readonly Request[],
  groupOf: (request: Request) => string,
  work: (group: readonly Request[]) => Promise<ReadonlyMap<Request, Answer>>,
): Promise<AnswerTo<Request, Answer>> {
  const groups = [...Map.groupBy(requests, groupOf)];
  const settled = await Promise.allSettled(groups.map(([, group]) => work(group)));
  const byGroup = new Map(groups.map(([name], index) => [name, settled[index]]));
  return (request) => {
    const group = byGroup.get(groupOf(request));
    if (group?.status === 'rejected') throw group.reason;
    const answer = group?.value.get(request);
    if (answer === undefined) throw new RangeError('The request is not among those that were made.');
    return answer;
  };
}
