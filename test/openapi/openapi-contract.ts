import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import * as z from 'zod';

const json = z.record(z.string(), z.unknown());
const content = z.record(
  z.string(),
  z.object({ schema: json, examples: z.record(z.string(), z.object({ value: z.unknown() })).default({}) }),
);
const operation = z.looseObject({
  operationId: z.string(),
  requestBody: z.object({ content }).optional(),
  responses: z.record(z.string(), z.looseObject({ content: content.optional() })),
});
const openApiDocument = z.looseObject({
  paths: z.record(z.string(), z.record(z.string(), operation)),
  components: z.looseObject({ schemas: z.record(z.string(), json) }),
});

type Operation = z.infer<typeof operation>;

/** A body that the document describes. */
export type LocatedContent = {
  /** `getEntity 200`, or `requestOnboarding request`. */
  readonly place: string;
  readonly type: string;
  readonly examples: readonly { readonly name: string; readonly value: unknown }[];
  /** What of a body does not fit; undefined where all fits. */
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

export type OpenApiContract = {
  readonly contents: readonly LocatedContent[];
  /** What of an exchange the document does not say; undefined where it says all. */
  readonly violation: (exchange: Exchange) => string | undefined;
};

/**
 * Reads an OpenAPI document as a contract. The document allows further members in answers, so that more can come; the contract
 * does not, so that no member is left undocumented.
 */
export function openApiContract(value: unknown): OpenApiContract {
  const document = openApiDocument.parse(value);
  const compile = compiler(document.components.schemas);
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ method: method.toUpperCase(), pattern: patternOf(path), one })),
  );

  function locate(place: string, isAnswer: boolean, described: z.infer<typeof content> = {}): LocatedContent[] {
    return Object.entries(described).map(([type, { schema, examples }]) => ({
      place,
      type,
      examples: Object.entries(examples).map(([name, example]) => ({ name, value: example.value })),
      misfit: (body) => misfit(compile(schema, isAnswer), body),
    }));
  }
  const requestOf = ({ operationId, requestBody }: Operation) =>
    locate(`${operationId} request`, false, requestBody?.content);
  const answersOf = ({ operationId, responses }: Operation) =>
    Object.entries(responses).flatMap(([status, response]) =>
      locate(`${operationId} ${status}`, true, response.content),
    );

  function violation({ method, path, requestBody, status, contentType, body }: Exchange): string | undefined {
    const [pathname = ''] = path.split('?');
    const matching = operations.filter((one) => one.method === method && one.pattern.test(pathname));
    const [found] = matching.toSorted((one, other) => one.pattern.source.length - other.pattern.source.length);
    if (found === undefined) return status < 400 ? 'The document has no such operation.' : undefined;
    const { one } = found;
    const place = `${one.operationId} ${status}`;
    if (!(String(status) in one.responses)) return `${place} is not documented.`;
    const type = contentType?.split(';', 1)[0] ?? '';
    const answers = answersOf(one).filter((answer) => answer.place === place);
    if (answers.length === 0) return body === '' ? undefined : `${place} has a body, which is not documented.`;
    const answer = answers.find((each) => each.type === type);
    if (answer === undefined) return `${place} has the content type ${type}, which is not documented.`;
    const wrong = answer.misfit(JSON.parse(body));
    if (wrong !== undefined) return `${place}: ${wrong}`;
    const [request] = requestOf(one);
    if (status >= 300 || request === undefined || one.requestBody?.content['*/*'] !== undefined) return undefined;
    const refused = request.misfit(JSON.parse(requestBody));
    return refused && `${place} is the answer to a request that the document does not allow: ${refused}`;
  }

  return {
    contents: operations.flatMap(({ one }) => [...requestOf(one), ...answersOf(one)]),
    violation,
  };
}

function patternOf(path: string): RegExp {
  const parts = path.split(/\{\w+\}/).map((part) => RegExp.escape(part));
  return new RegExp(`^${parts.join('[^/]+')}$`);
}

function compiler(schemas: Readonly<Record<string, z.infer<typeof json>>>) {
  const [open, closed] = [
    schemas,
    Object.fromEntries(Object.entries(schemas).map(([name, one]) => [name, close(one)])),
  ];
  const [ofRequests, ofAnswers] = [open, closed].map((all) => {
    const ajv = new Ajv2020({ strict: true, strictRequired: false, allErrors: true, allowUnionTypes: true });
    formats.default(ajv);
    ajv.addVocabulary(['components', 'discriminator']);
    ajv.addSchema({ components: { schemas: all } }, 'openapi');
    return ajv;
  });
  const compiled = new WeakMap<object, ValidateFunction>();
  return (schema: z.infer<typeof json>, isAnswer: boolean): ValidateFunction => {
    const ajv = isAnswer ? ofAnswers : ofRequests;
    if (ajv === undefined) throw new Error('There are two sets of schemas.');
    const known = compiled.get(schema) ?? ajv.compile(located(schema));
    compiled.set(schema, known);
    return known;
  };
}

/** With references to the document in place of references within the schema. */
function located(schema: z.infer<typeof json>): z.infer<typeof json> {
  return z
    .record(z.string(), z.unknown())
    .parse(
      JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
        key === '$ref' && typeof value === 'string' ? `openapi${value}` : value,
      ),
    );
}

/** Without further members in each object that lists members. */
function close(schema: z.infer<typeof json>): z.infer<typeof json> {
  return z.record(z.string(), z.unknown()).parse(
    JSON.parse(JSON.stringify(schema), (_, value: unknown) => {
      const object = z.looseObject({ type: z.literal('object'), properties: json }).safeParse(value);
      return object.success && !('additionalProperties' in object.data)
        ? { ...object.data, additionalProperties: false }
        : value;
    }),
  );
}

function misfit(validate: ValidateFunction, body: unknown): string | undefined {
  if (validate(body)) return undefined;
  const errors = validate.errors ?? [];
  return errors
    .map(({ instancePath, message, params }) => `${instancePath || '#'} ${message} ${JSON.stringify(params)}`)
    .join('; ');
}
