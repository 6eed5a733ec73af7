import * as z from 'zod';
import { type Evaluation, good, problem, report, unknown } from '#cli/doctor/platform/evaluation.ts';
import { anyPage } from '#shared/platform/client/page.ts';
import { namesNotRecorded } from './compare-fields.ts';
import type { Operation, Shape } from './recording.ts';
import { samplesOf } from './samples.ts';

/** The lists that were seen as bare arrays. Section 2 has `data` and `pagination` of the others. */
const bareLists: ReadonlySet<Operation> = new Set(['List webhooks', 'List missing webhooks']);

const read = 'Drawbridge reads data and pagination.cursor';
const askForPages =
  'Ask the operator how the list goes on. If there is a further page, report that to the maintainers of Drawbridge: no setting covers it.';

/** What stands around the members of a list: if Drawbridge misses the cursor, it misses all pages but the first. */
export function compareEnvelope(operation: Operation, body: Shape): readonly Evaluation[] {
  const unreadable = unreadableIn(body);
  if (unreadable.some((path) => !path.startsWith('pagination')))
    return [problem('the answer is neither an array nor an object with the array data', report)];
  if (unreadable.length > 0) return [problem(`cannot be read: ${unreadable.join(', ')}`, report)];
  const { pagination, data: _, ...beside } = body.fields ?? {};
  const { cursor, limit: __, ...inPagination } = pagination?.fields ?? {};
  const others = [
    ...namesIn(beside, body.otherNames, 'beside data'),
    ...namesIn(inPagination, pagination?.otherNames, 'in pagination'),
  ];
  const isPaged = !bareLists.has(operation);
  const isObject = body.forms.object !== undefined;
  const place = pagination === undefined || isNull(pagination) ? 'pagination' : 'pagination.cursor';
  const needed = place === 'pagination' ? undefined : cursor;
  // A platform may leave out the cursor of a short list. Without pagination, nothing says that the list has pages.
  const missing = place === 'pagination' ? problem : unknown;
  const sometimes = [pagination, cursor].some((shape) => shape?.absent !== undefined);
  return [
    ...(isPaged && body.forms.array !== undefined
      ? [unknown('the answer is a bare list, which Drawbridge takes for the whole list', askForPages)]
      : []),
    ...(isPaged && isObject && needed === undefined
      ? [missing(`no answer has ${place}, so that the list ends with its first page: ${read}`, askForPages)]
      : []),
    ...(others.length > 0 ? [problem(`not in the specification: ${others.join(', ')}. ${read}`, askForPages)] : []),
    ...(needed !== undefined && sometimes ? [good('the cursor is sometimes absent, which ends the list')] : []),
  ];
}

function isNull(shape: Shape): boolean {
  return Object.keys(shape.forms).every((form) => form === 'null');
}

function namesIn(fields: Readonly<Record<string, Shape>>, otherNames: number | undefined, where: string) {
  const names = Object.keys(fields);
  const all = [...names, ...(otherNames === undefined ? [] : [namesNotRecorded(otherNames)])];
  return all.length === 0 ? [] : [`${all.join(', ')} ${where}`];
}

/** The fields for which the client of Drawbridge takes an answer for no page of a list. */
function unreadableIn(body: Shape): readonly string[] {
  const paths = samplesOf(body).flatMap((sample) =>
    (z.safeParse(anyPage, sample).error?.issues ?? []).map(({ path }) => path.join('.')),
  );
  return [...new Set(paths)];
}
