import * as z from 'zod';

/** JSON Schema: whether it is one, ajv tells. */
const schema = z.union([z.boolean(), z.record(z.string(), z.unknown())]);

const content = z.record(
  z.string().regex(/^[\w*]+\/[\w.+*-]+$/),
  z.strictObject({ schema: schema.optional(), example: z.unknown().optional() }),
);
const text = { summary: z.string().optional(), description: z.string().optional() };

const parameter = z
  .strictObject({
    ...text,
    name: z.string().min(1),
    in: z.enum(['query', 'header', 'path', 'cookie']),
    required: z.boolean().optional(),
    deprecated: z.boolean().optional(),
    schema,
  })
  .refine((one) => one.in !== 'path' || one.required === true, 'a parameter of the path is required');

const response = z.strictObject({
  description: z.string(),
  headers: z.record(z.string(), z.strictObject({ ...text, schema })).optional(),
  content: content.optional(),
});

const operation = z.strictObject({
  ...text,
  operationId: z.string().regex(/^[a-z][A-Za-z]*$/),
  tags: z.array(z.string()).optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  parameters: z.array(parameter).optional(),
  requestBody: z
    .strictObject({ description: z.string().optional(), required: z.boolean().optional(), content })
    .optional(),
  responses: z
    .record(z.string().regex(/^([1-5]\d\d|[1-5]XX|default)$/), response)
    .refine((all) => '200' in all || '202' in all, 'a success'),
});

export type OpenApiOperation = z.infer<typeof operation>;

const methods = z.enum(['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace']);

/** What OpenAPI 3.1 makes of a document, as far as the platform's use it; no other key is allowed. */
export const openApiDocument = z.strictObject({
  openapi: z.string().regex(/^3\.1\.\d+$/),
  info: z.strictObject({ title: z.string().min(1), version: z.string().min(1), description: z.string().optional() }),
  servers: z.array(z.strictObject({ url: z.string(), description: z.string().optional() })).optional(),
  security: z.array(z.record(z.string(), z.array(z.string()))).optional(),
  paths: z.record(z.string().startsWith('/'), z.partialRecord(methods, operation)),
  webhooks: z.record(z.string(), z.strictObject({ post: operation })).optional(),
  tags: z.array(z.strictObject({ name: z.string(), description: z.string() })).optional(),
  components: z.strictObject({
    schemas: z.record(z.string().regex(/^[\w.-]+$/), schema),
    parameters: z.record(z.string(), parameter).optional(),
    securitySchemes: z.record(z.string(), z.strictObject({ type: z.literal('http'), scheme: z.string() })).optional(),
  }),
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
