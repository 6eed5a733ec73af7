import { samplePerson } from '#test/shared/platform/resources/sample-persons.ts';

const { externalId: _, ...personOfRequest } = samplePerson;

/** The sample person, as an onboarding requests it: its externalId stands beside it. */
export const person = personOfRequest;

/** Calls the API of the hosted stacks, as a partner's system does. */
export function callApi(apiOrigin: string, method: string, path: string, body?: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' };
  return fetch(`${apiOrigin}${path}`, { method, ...(body !== undefined && { headers, body: JSON.stringify(body) }) });
}

/** Reads what the API answers, an error included. */
export async function readAnswer(apiOrigin: string, path: string): Promise<Record<string, unknown>> {
  return (await (await callApi(apiOrigin, 'GET', path)).json()) as Record<string, unknown>;
}

/** Requests an onboarding, of the sample person and by video call unless given. */
export function requestOnboarding(
  apiOrigin: string,
  externalId: string,
  given: { readonly person?: object; readonly identification?: object } = {},
): Promise<Response> {
  const request = { externalId, person, identification: { mode: 'video' }, ...given };
  return callApi(apiOrigin, 'POST', '/onboardings', request);
}
