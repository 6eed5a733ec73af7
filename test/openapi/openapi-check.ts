import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { PlatformProfile } from '#shared/platform/profile/profile.ts';
import { type LocatedOperation, type OpenApiDocument, openApiDocument, operationsOf } from './openapi-document.ts';

/** An answer of the platform to a request. */
export type Answered = {
  readonly method: string;
  /** With its query, if there was one. */
  readonly path: string;
  readonly status: number;
  readonly contentType: string | undefined;
  readonly text: string;
};

export type OpenApiCheckOptions = {
  /** Schemas that no answer may need: a branch of a union that is there for exceptional cases only. */
  readonly without?: readonly string[];
};

/** Says what in an answer is not as the OpenAPI documents have it; undefined if all is. */
export type OpenApiCheck = (answered: Answered) => string | undefined;

/** Where a platform serves its OpenAPI documents. */
export const documentPaths: readonly string[] = ['/openapi.json', '/control/openapi.json'];

/** What any operation may be answered with by `default`: the rest must be listed. */
const byDefault = (status: number) => [401, 413, 429].includes(status) || status >= 500;

/** Holds answers against the OpenAPI of what was called, or of errors if there is no such operation. */
export function createOpenApiCheck(
  documents: readonly OpenApiDocument[],
  { without = [] }: OpenApiCheckOptions = {},
): OpenApiCheck {
  const located = documents.flatMap((document, index) => {
    const schemaOf = compiler(withoutSchemas(document, without), index);
    return operationsOf(document).map((one) => ({ ...one, schemaOf }));
  });
  const [anyDocument] = documents;
  const hasError = anyDocument?.components.schemas['Error'] !== undefined;
  const errorSchema = hasError && compiler(anyDocument, documents.length)('/components/schemas/Error');

  return (answered) => {
    // A HEAD stands for the GET, and has no body.
    const method = answered.method === 'HEAD' ? 'GET' : answered.method;
    const found = operationAt(located, method, answered.path);
    if (found !== undefined) return checkAgainst(found, found.schemaOf, answered);
    if (answered.status < 400) return 'there is no such operation, and yet it was answered';
    return answered.method === 'HEAD' || errorSchema === false ? undefined : misfit(errorSchema, answered);
  };
}

/** The operation that a request calls: of several, the one with the fewest parameters in its path. */
export function operationAt<Located extends Pick<LocatedOperation, 'method' | 'path'>>(
  located: readonly Located[],
  method: string,
  path: string,
): Located | undefined {
  return located
    .filter((one) => one.method === method && matches(one.path, path))
    .toSorted((one, other) => parametersIn(one.path) - parametersIn(other.path))[0];
}

const checks = new Map<string, Promise<OpenApiCheck>>();

/**
 * For the documents of a platform with this profile. Made once per profile, since the documents depend only on the profile: to
 * write them and to compile their schemas takes longer than most tests.
 */
export function openApiCheckFor(
  profile: PlatformProfile,
  read: (path: string) => Promise<string>,
  options: OpenApiCheckOptions = {},
): Promise<OpenApiCheck> {
  const key = JSON.stringify([profile, options]);
  const check = checks.get(key) ?? readCheck(read, options);
  checks.set(key, check);
  return check;
}

async function readCheck(read: (path: string) => Promise<string>, options: OpenApiCheckOptions): Promise<OpenApiCheck> {
  const texts = await Promise.all(documentPaths.map(read));
  return createOpenApiCheck(
    texts.map((text) => openApiDocument.parse(JSON.parse(text))),
    options,
  );
}

function checkAgainst(
  { operation, pointer }: LocatedOperation,
  schemaOf: (pointer: string) => ValidateFunction,
  answered: Answered,
): string | undefined {
  const listed = String(answered.status) in operation.responses;
  if (!listed && !byDefault(answered.status)) return `${operation.operationId} does not list ${answered.status}`;
  const key = listed ? String(answered.status) : 'default';
  const response = operation.responses[key];
  if (response === undefined) return `${operation.operationId} lists neither ${answered.status} nor default`;
  if (response.content === undefined) return answered.text === '' ? undefined : 'there is a body where none is listed';
  const type = answered.contentType?.split(';', 1)[0] ?? '';
  if (!(type in response.content)) return `the Content-Type is ${type}`;
  if (!type.endsWith('json') || answered.method === 'HEAD') return undefined;
  return misfit(schemaOf(`${pointer}/responses/${key}/content/${type.replace('/', '~1')}/schema`), answered);
}

function misfit(validate: ValidateFunction, { contentType = '', text }: Answered): string | undefined {
  if (!/^application\/(?:problem\+)?json/.test(contentType)) return `the Content-Type is ${contentType}`;
  return misfitOf(validate, JSON.parse(text));
}

/** What of a body does not fit; undefined if all fits. */
export function misfitOf(validate: ValidateFunction, body: unknown): string | undefined {
  if (validate(body)) return undefined;
  return (validate.errors ?? [])
    .map(({ instancePath, message, params }) => `${instancePath || 'the body'} ${message} ${JSON.stringify(params)}`)
    .join('; ');
}

/** Compiles the schemas of a document, each once. */
export function compiler(document: OpenApiDocument, index = 0): (pointer: string) => ValidateFunction {
  const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
  formats.default(ajv);
  // Ajv takes the whole document for a schema.
  ajv.addVocabulary([...Object.keys(document), 'discriminator']);
  ajv.addSchema(document, `openapi-${index}`);
  const compiled = new Map<string, ValidateFunction>();
  return (pointer) => {
    const validate = compiled.get(pointer) ?? ajv.compile({ $ref: `openapi-${index}#${pointer}` });
    compiled.set(pointer, validate);
    return validate;
  };
}

function withoutSchemas(document: OpenApiDocument, names: readonly string[]): OpenApiDocument {
  const never = Object.fromEntries(names.map((name) => [name, false]));
  return { ...document, components: { ...document.components, schemas: { ...document.components.schemas, ...never } } };
}

function matches(template: string, path: string): boolean {
  const pattern = template
    .split(/\{\w+\}/)
    .map((part) => RegExp.escape(part))
    .join('[^/]+');
  // As a client sends it: without . and ..
  return new RegExp(`^${pattern}$`).test(new URL(`http://localhost${path}`).pathname);
}

function parametersIn(template: string): number {
  return template.split('{').length;
}
