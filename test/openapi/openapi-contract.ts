import * as z from 'zod';
import { compiler, createOpenApiCheck, misfitOf, operationAt } from './openapi-check.ts';
import { type OpenApiDocument, openApiDocument, operationsOf } from './openapi-document.ts';

/** A body that the document describes. */
export type LocatedContent = {
  /** `getEntity 200`, or `requestOnboarding request`. */
  readonly place: string;
  readonly type: string;
  readonly examples: readonly { readonly name: string; readonly value: unknown }[];
  /** What of a body does not fit; undefined if all fits. */
  readonly misfit: (body: unknown) => string | undefined;
};

/** A request to the API, and its answer. */
export type Exchange = {
  readonly method: string;
  /** Percent-encoded, with the query. */
  readonly path: string;
  readonly requestBody: string;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly body: string;
};

const described = z.record(
  z.string(),
  z.object({ examples: z.record(z.string(), z.object({ value: z.unknown() })).default({}) }),
);

/**
 * Reads an OpenAPI document as a contract. The document allows further members in answers, so that more can come; the contract
 * does not, so that no member is left undocumented.
 */
export function openApiContract(value: unknown) {
  // The tests call the laptop, whose paths have no base.
  const { servers: _, ...document } = openApiDocument.parse(value);
  const closed = openApiDocument.parse(closeObjects(document));
  const [ofRequests, ofAnswers] = [compiler(document), compiler(closed)];
  const check = createOpenApiCheck([closed]);

  const contentsOf = (place: string, pointer: string, content: object = {}): readonly LocatedContent[] =>
    Object.entries(described.parse(content)).map(([type, { examples }]) => ({
      place,
      type,
      examples: Object.entries(examples).map(([name, example]) => ({ name, value: example.value })),
      misfit: (body) => {
        const schemaOf = pointer.endsWith('/requestBody') ? ofRequests : ofAnswers;
        return misfitOf(schemaOf(`${pointer}/content/${type.replace('/', '~1')}/schema`), body);
      },
    }));
  const located = operationsOf(document).map(({ method, path, pointer, operation }) => ({
    method,
    path,
    request: contentsOf(`${operation.operationId} request`, `${pointer}/requestBody`, operation.requestBody?.content),
    answers: Object.entries(operation.responses).flatMap(([status, { content }]) =>
      contentsOf(`${operation.operationId} ${status}`, `${pointer}/responses/${status}`, content),
    ),
  }));

  return {
    contents: located.flatMap(({ request, answers }): readonly LocatedContent[] => [...request, ...answers]),
    /** What of an exchange the document does not say; undefined if it says all. */
    violation: ({ method, path, requestBody, status, contentType, body }: Exchange): string | undefined => {
      const at = `${method} ${path.split('?')[0]} ${status}`;
      const problem = check({ method, path, status, contentType, text: body });
      if (problem !== undefined) return `${at}: ${problem}`;
      const requests = operationAt(located, method, path)?.request ?? [];
      const [request] = requests;
      if (status >= 300 || request === undefined || requests.some(({ type }) => type === '*/*')) return undefined;
      const refused = request.misfit(JSON.parse(requestBody));
      return refused && `${at} is the answer to a request that the document does not allow: ${refused}`;
    },
  };
}

/** Without further members in each object that lists members. */
function closeObjects(document: OpenApiDocument): unknown {
  const members = z.looseObject({ type: z.literal('object'), properties: z.record(z.string(), z.unknown()) });
  return JSON.parse(JSON.stringify(document), (_, value: unknown) => {
    const object = members.safeParse(value);
    return object.success && !('additionalProperties' in object.data)
      ? { ...object.data, additionalProperties: false }
      : value;
  });
}
