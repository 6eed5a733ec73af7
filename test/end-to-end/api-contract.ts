import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ApiExchange } from '#sandbox/aws/http-api/http-api.ts';
import { openApiContract } from '#test/openapi/openapi-contract.ts';

const file = join(import.meta.dirname, '../../docs/reference/openapi.json');
let contract: ReturnType<typeof openApiContract> | undefined;

/** Holds each answer of the API against docs/reference/openapi.json. */
export function watchApiContract() {
  const violations = new Set<string>();
  return {
    onApiAnswer: ({ method, path, requestBody, answer: { status, headers, body } }: ApiExchange): void => {
      contract ??= openApiContract(JSON.parse(readFileSync(file, 'utf8')));
      const contentType = headers['content-type']?.toString();
      const texts = { requestBody: requestBody.toString(), body: Buffer.from(body).toString() };
      const violation = contract.violation({ method, path, status, contentType, ...texts });
      if (violation !== undefined) violations.add(violation);
    },
    /** @throws when an answer was not what the document says */
    check: (): void => {
      if (violations.size > 0)
        throw new Error(`The API broke docs/reference/openapi.json: ${[...violations].join('; ')}`);
    },
  };
}
