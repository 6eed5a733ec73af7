import * as z from 'zod/mini';

/**
 * A field of an HTTP API event. Some gateways send null where API Gateway leaves a field out: both mean that the field is
 * absent.
 */
export function optionalField<Schema extends z.ZodMiniType>(schema: Schema) {
  const present = z.transform((value: z.output<Schema> | null | undefined) => value ?? undefined);
  return z.optional(z.pipe(z.nullish(schema), present));
}

const text = optionalField(z.string());
const texts = optionalField(z.record(z.string(), text));

/**
 * The fields of an HTTP API event (payload format 2.0) that functions use, each of which may be absent:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html
 */
export const httpEventFields = {
  /** Names are in lower case. */
  headers: texts,
  pathParameters: texts,
  /** API Gateway hands over what is given more than once with commas in between. */
  queryStringParameters: texts,
  body: text,
  isBase64Encoded: optionalField(z.boolean()),
  /** Who signed the request, on a route that IAM authorizes. */
  requestContext: optionalField(
    z.object({
      authorizer: optionalField(z.object({ iam: optionalField(z.object({ accessKey: optionalField(z.string()) })) })),
    }),
  ),
};

const caller = z.object({ requestContext: httpEventFields.requestContext });

/** The AWS access key that signed a request: CloudTrail knows its session. */
export function accessKeyOf({ requestContext }: z.output<typeof caller>): string | undefined {
  return requestContext?.authorizer?.iam?.accessKey;
}

/** What API Gateway answers: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html */
export type HttpAnswer = {
  readonly statusCode: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
};

/** An answer in JSON. */
export function answer(statusCode: number, body: unknown): HttpAnswer {
  return { statusCode, headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}
