import * as z from 'zod';
import { narrowings } from './schema-narrowings.ts';

const content = z.record(z.string(), z.looseObject({ schema: z.unknown() }));
const operation = z.looseObject({
  parameters: z
    .array(
      z.looseObject({ name: z.string(), in: z.string(), required: z.boolean().default(false), schema: z.unknown() }),
    )
    .default([]),
  requestBody: z.looseObject({ required: z.boolean().default(false), content }).optional(),
  responses: z.record(z.string(), z.looseObject({ content: content.default({}) })),
});
const openApiDocument = z.looseObject({ paths: z.record(z.string(), z.record(z.string(), operation)) });

type Operation = z.infer<typeof operation>;
type Pair = { readonly older: unknown; readonly newer: unknown };

/**
 * Says what a client of an older OpenAPI document cannot rely on by a newer one: what it may no longer send, and what it may
 * no longer read. New operations, optional parameters, members of answers, and types of problems are not breaking changes.
 *
 * @throws when a schema has a keyword that the comparison does not know
 */
export function breakingChanges(older: unknown, newer: unknown): readonly string[] {
  const [before, after] = [openApiDocument.parse(older), openApiDocument.parse(newer)];
  return Object.entries(before.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, one]) => {
      const found = after.paths[path]?.[method];
      const changes = found === undefined ? ['is gone'] : changesOf(one, found, { older, newer });
      return changes.map((change) => `${method.toUpperCase()} ${path}: ${change}`);
    }),
  );
}

function changesOf(before: Operation, after: Operation, documents: Pair): readonly string[] {
  return [
    ...parameterChanges(before, after, documents),
    ...requestChanges(before, after, documents),
    ...answerChanges(before, after, documents),
  ];
}

function parameterChanges(before: Operation, after: Operation, { older, newer }: Pair): readonly string[] {
  const find = ({ parameters }: Operation, name: string) => parameters.find((one) => one.name === name);
  const kept = before.parameters.flatMap((one) => {
    const found = find(after, one.name);
    if (found === undefined) return [`the parameter ${one.name} is gone`];
    const from = { schema: one.schema, document: older };
    return narrowings(from, { schema: found.schema, document: newer }, 'request', `parameter ${one.name}`);
  });
  const required = after.parameters
    .filter((one) => one.required && find(before, one.name)?.required !== true)
    .map(({ name }) => `the parameter ${name} is required`);
  return [...kept, ...required];
}

function requestChanges(before: Operation, after: Operation, { older, newer }: Pair): readonly string[] {
  const isNewlyRequired = after.requestBody?.required === true && before.requestBody?.required !== true;
  const bodies = Object.entries(before.requestBody?.content ?? {}).flatMap(([type, { schema }]) => {
    const found = after.requestBody?.content[type];
    if (found === undefined) return [`the request cannot be ${type}`];
    return narrowings({ schema, document: older }, { schema: found.schema, document: newer }, 'request', 'request');
  });
  return [...(isNewlyRequired ? ['the request needs a body'] : []), ...bodies];
}

function answerChanges(before: Operation, after: Operation, documents: Pair): readonly string[] {
  const isSuccess = (status: string) => Number(status) < 400;
  const surprising = Object.keys(after.responses)
    .filter((status) => isSuccess(status) && !(status in before.responses))
    .map((status) => `the answer ${status} is new`);
  const bodies = Object.entries(after.responses).flatMap(([status, { content: types }]) => {
    const earlier = before.responses[status]?.content ?? {};
    const lost = Object.keys(earlier).filter((type) => !(type in types));
    return [
      ...lost.map((type) => `the answer ${status} is not ${type}`),
      ...Object.entries(types).flatMap(([type, { schema }]) =>
        earlier[type] === undefined
          ? []
          : bodyChanges({ older: earlier[type].schema, newer: schema }, documents, `answer ${status}`),
      ),
    ];
  });
  return [...surprising, ...bodies, ...lostProblems(before, after, documents)];
}

/** A problem of a type that is new is not a breaking change: clients recognize it by its status. */
function bodyChanges({ older, newer }: Pair, documents: Pair, at: string): readonly string[] {
  const earlier = problemsOf(older, documents.older);
  return [...problemsOf(newer, documents.newer)].flatMap(([type, schema]) => {
    const found = earlier.get(type);
    if (found === undefined) return [];
    const to = { schema: found, document: documents.older };
    return narrowings({ schema, document: documents.newer }, to, 'answer', at);
  });
}

function lostProblems(before: Operation, after: Operation, { older, newer }: Pair): readonly string[] {
  const typesOf = ({ responses }: Operation, document: unknown) =>
    Object.values(responses).flatMap((response) =>
      Object.values(response.content).flatMap(({ schema }) => [...problemsOf(schema, document).keys()]),
    );
  const kept = new Set(typesOf(after, newer));
  return typesOf(before, older)
    .filter((type) => type !== '' && !kept.has(type))
    .map((type) => `the problem ${type} is gone`);
}

const union = z.looseObject({ oneOf: z.array(z.unknown()).optional(), $ref: z.string().optional() });
const typed = z.looseObject({ properties: z.looseObject({ type: z.looseObject({ const: z.string() }) }) });

/** The schemas of a body by the constant of their member `type`; one without it under an empty name. */
function problemsOf(schema: unknown, document: unknown): ReadonlyMap<string, unknown> {
  const { oneOf = [schema] } = union.parse(schema);
  return new Map(
    oneOf.map((one) => {
      const name = union.parse(one).$ref?.split('/').at(-1) ?? '';
      const { components } = z
        .looseObject({ components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }) })
        .parse(document);
      const problem = typed.safeParse(components.schemas[name] ?? one);
      return [problem.success ? problem.data.properties.type.const : '', one] as const;
    }),
  );
}
