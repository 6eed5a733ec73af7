import { problemUri } from '#shared/lambda/http-api.ts';
import * as problemTypes from '#shared/lambda/problem-types.ts';
import { version } from '#shared/version.ts';
import { answerExamples, problemExamples, requestExamples } from './examples.ts';
import { type Operation, operations, type Parameter } from './operations.ts';
import { type JsonSchema, type ProblemSlug, problemSchemaName, writeSchemas } from './schemas.ts';

const problemTypesBySlug = new Map(Object.values(problemTypes).map((type) => [type.slug, type]));

const securitySchemes = {
  sigv4: {
    type: 'apiKey',
    name: 'Authorization',
    in: 'header',
    description:
      'A request that is signed with AWS credentials (SigV4, service execute-api). The laptop checks no signature.',
    'x-amazon-apigateway-authtype': 'awsSigv4',
  },
  webhookSecret: {
    type: 'apiKey',
    name: 'X-Drawbridge-Secret',
    in: 'header',
    description: 'The registered secret. The setting secretHeader names the header.',
  },
};

const tags = [
  { name: 'Queries', description: 'What Drawbridge knows of entities, and the webhooks that it stored.' },
  { name: 'Onboardings', description: 'Makes persons customers of the platform.' },
  { name: 'Persons', description: 'Updates and erases persons.' },
  { name: 'Webhooks', description: 'Where the platform delivers.' },
];

/** The OpenAPI 3.1 document of the API. */
export function writeOpenApi(): JsonSchema {
  return {
    openapi: '3.1.0',
    info: {
      title: 'Drawbridge',
      version,
      summary: "The partner's side of a B2B investment platform.",
      description:
        'Each error answer is a problem of RFC 9457: docs/reference/problems.md says what to do about each type. Each request can be sent again with the same effect as once.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [
      {
        url: 'https://{apiId}.execute-api.{region}.amazonaws.com',
        description: 'The output ApiUrl of a deployment.',
        variables: { apiId: { default: 'example' }, region: { default: 'eu-central-1' } },
      },
    ],
    tags,
    paths: writePaths(),
    components: { schemas: writeSchemas(), securitySchemes },
  };
}

function writePaths(): JsonSchema {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [route, operation] of Object.entries(operations)) {
    const [method = '', path = ''] = route.split(' ');
    paths[path] = { ...paths[path], [method.toLowerCase()]: writeOperation(operation) };
  }
  return paths;
}

function writeOperation({ operationId, tag, summary, description, access, parameters, ...rest }: Operation) {
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: [access === 'IAM' ? { sigv4: [] } : { webhookSecret: [] }],
    ...(parameters !== undefined && { parameters: parameters.map(writeParameter) }),
    ...(rest.request !== undefined && { requestBody: { required: true, content: writeRequestContent(rest.request) } }),
    responses: writeResponses(rest, access),
  };
}

function writeParameter({ name, in: place, description, schema, example, isList }: Parameter) {
  return {
    name,
    in: place,
    description,
    required: place === 'path',
    ...(isList === true && { style: 'form', explode: false }),
    schema,
    ...(example !== undefined && { example }),
  };
}

function writeRequestContent(request: NonNullable<Operation['request']>) {
  if (request === 'any') {
    const examples = { order: { value: { orderId: '0190a6f0-5678-7abc-8def-0123456789ab', status: 'FILLED' } } };
    return { 'application/json': { schema: {}, examples }, '*/*': { schema: {} } };
  }
  return { 'application/json': { schema: reference(request), examples: writeExamples(requestExamples[request]) } };
}

function writeResponses({ answers, problems }: Pick<Operation, 'answers' | 'problems'>, access: Operation['access']) {
  const successes = Object.entries(answers).map(([status, { description, body }]) => {
    const content = body && {
      'application/json': { schema: reference(body), examples: writeExamples(answerExamples[body]) },
    };
    return [status, { description, ...(content && { content }) }] as const;
  });
  const byStatus = Map.groupBy([...problems, 'unavailable' as const], (slug) => typeOf(slug).status);
  const refusals = [...byStatus].map(([status, slugs]) => [String(status), writeProblems(slugs)] as const);
  return Object.fromEntries([...successes, ...refusals, ...writeGatewayAnswers(access, byStatus)]);
}

function writeProblems(slugs: readonly ProblemSlug[]) {
  const waits = slugs.map(typeOf).flatMap((type) => ('retryAfter' in type ? type.retryAfter : []));
  const gatewaySays = slugs
    .map((slug) => gatewayMessages.get(typeOf(slug).status))
    .find((message) => message !== undefined);
  const schema = slugs.length === 1 ? problemReference(slugs[0]) : writeChoice(slugs);
  return {
    description: slugs.map((slug) => `${typeOf(slug).title} (${slug}).`).join(' '),
    ...(waits.length > 0 && {
      headers: { 'Retry-After': { description: 'In seconds.', schema: { type: 'integer' }, example: waits[0] } },
    }),
    content: {
      'application/problem+json': {
        schema,
        examples: Object.fromEntries(slugs.map((slug) => [slug, exampleOf(slug)])),
      },
      ...(gatewaySays !== undefined && gatewayContent(gatewaySays)),
    },
  };
}

function writeChoice(slugs: readonly ProblemSlug[]) {
  const mapping = Object.fromEntries(slugs.map((slug) => [problemUri(slug), problemReference(slug).$ref]));
  return { oneOf: slugs.map(problemReference), discriminator: { propertyName: 'type', mapping } };
}

/** What API Gateway answers under the status of a problem. */
const gatewayMessages: ReadonlyMap<number, string> = new Map([
  [413, 'Request Entity Too Large'],
  [503, 'Service Unavailable'],
]);

/** What API Gateway answers in place of a function, if the status has no problem. */
function writeGatewayAnswers(access: Operation['access'], problems: ReadonlyMap<number, unknown>) {
  const answers = [
    access === 'IAM'
      ? ([403, 'The signature is missing or wrong, or the role may not.', 'Forbidden'] as const)
      : ([404, 'The random part is wrong.', 'Not Found'] as const),
    ...(problems.has(413) ? [] : [[413, 'The request has more than 10 MB.', 'Request Entity Too Large'] as const]),
    [429, 'The requests exceed the throttle of the route. Send the request again later.', 'Too Many Requests'] as const,
    [500, 'The function did not answer. Send the request again.', 'Internal Server Error'] as const,
  ];
  return answers.map(
    ([status, description, message]) => [String(status), { description, content: gatewayContent(message) }] as const,
  );
}

function gatewayContent(message: string) {
  return { 'application/json': { schema: reference('GatewayError'), examples: { gateway: { value: { message } } } } };
}

function exampleOf(slug: ProblemSlug) {
  const { title, status, remedy } = typeOf(slug);
  return { value: { type: problemUri(slug), title, status, remedy, ...problemExamples[slug] } };
}

function writeExamples(examples: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(Object.entries(examples).map(([name, value]) => [name, { value }]));
}

function typeOf(slug: ProblemSlug) {
  const type = problemTypesBySlug.get(slug);
  if (type === undefined) throw new Error(`There is no problem type ${slug}.`);
  return type;
}

function problemReference(slug: ProblemSlug | undefined) {
  return reference(slug === undefined ? '' : problemSchemaName(slug));
}

function reference(name: string) {
  return { $ref: `#/components/schemas/${name}` };
}
