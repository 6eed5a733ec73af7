import * as z from 'zod';

const content = z.record(z.string(), z.looseObject({}));

const operation = z.looseObject({
  operationId: z.string(),
  security: z.array(z.unknown()).optional(),
  parameters: z.array(z.unknown()).optional(),
  requestBody: z.looseObject({ content }).optional(),
  responses: z.record(z.string(), z.looseObject({ content: content.optional() })),
});

export type OpenApiOperation = z.infer<typeof operation>;

/** What the tests read of an OpenAPI document. The rest is kept: JSON pointers lead into it. */
export const openApiDocument = z.looseObject({
  servers: z.array(z.looseObject({ url: z.string() })).optional(),
  security: z.array(z.unknown()).optional(),
  paths: z.record(z.string(), z.record(z.string(), operation)),
  webhooks: z.record(z.string(), z.unknown()).optional(),
  components: z.looseObject({ schemas: z.record(z.string(), z.unknown()) }),
});

export type OpenApiDocument = z.infer<typeof openApiDocument>;

/** An operation, and where it is: its path as of the root of the server, with parameters in braces. */
export type LocatedOperation = {
  readonly method: string;
  readonly path: string;
  /** Where it is in its document, as a JSON pointer. */
  readonly pointer: string;
  readonly operation: OpenApiOperation;
};

export function operationsOf({ servers, paths }: OpenApiDocument): readonly LocatedOperation[] {
  const base = servers?.[0]?.url ?? '';
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, one]) => ({
      method: method.toUpperCase(),
      path: `${base}${path}`,
      pointer: `/paths/${encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'))}/${method}`,
      operation: one,
    })),
  );
}
