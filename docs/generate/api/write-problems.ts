import { generated } from '#docs/generate/generated.ts';
import type { ListedProblemType } from '#shared/lambda/http-api.ts';
import * as problemTypes from '#shared/lambda/problem-types.ts';
import { problemMeanings } from './problem-meanings.ts';

const preface = `${generated}

# Problems

*For engineers whose systems call the API.* Each error answer of [the API](api.md) has the content type \`application/problem+json\`
([RFC 9457](https://www.rfc-editor.org/rfc/rfc9457)) and these members:

| Member | Meaning |
| --- | --- |
| \`type\` | the kind of problem: \`urn:drawbridge:problem:…\`, with the heading of a section of this page. Decide by this member |
| \`title\`, \`status\` | the kind of problem in words, and the HTTP status of the section |
| \`detail\` | what is wrong this time. Texts can change with each release |
| \`errors\` | each invalid part of the request. \`pointer\` is a JSON Pointer to a field of the body, as \`#/person/firstName\`; \`#\` is the whole body. \`parameter\` is the name of a query parameter. \`detail\` says what is wrong. At most 100 |
| \`remedy\` | what the caller can do next |

A type can have further members, which its section names. No problem has personal data or a value of the request. A request with a 400, 401 or 403 has changed nothing.

API Gateway has answers of its own, of the content type \`application/json\` with the body \`{"message": "…"}\`:

| Status | When | Repeat the request |
| --- | --- | --- |
| 403 | the signature is missing or wrong, or the role may not invoke the route | no |
| 404 | the path is no route | no |
| 413 | the body has more than 10 MB | no |
| 429 | the requests exceed the throttle of the route | yes |
| 500, 503 | the function did not answer | yes |
`;

/** `docs/reference/problems.md`. */
export function writeProblems(): string {
  const types = Object.values(problemTypes).toSorted((one, other) => (one.slug < other.slug ? -1 : 1));
  return [preface, ...types.map(writeSection)].join('\n');
}

function writeSection({ slug, status, remedy, ...type }: ListedProblemType): string {
  const retryAfter = 'retryAfter' in type ? `, \`Retry-After\` ${type.retryAfter} seconds` : '';
  return `## ${slug}\n\n**${status}**${retryAfter}: ${problemMeanings[slug]}\n\n**Do**: ${remedy}\n`;
}
