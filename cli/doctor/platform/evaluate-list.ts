import { contentOf } from '#shared/platform/client/cursor-trail.ts';
import { isSuccess, type PlatformAnswer, parseBody } from '#shared/platform/client/http.ts';
import {
  type Evaluation,
  fieldOf,
  good,
  nameFields,
  type ProfileChange,
  problem,
  report,
  unknown,
} from './evaluation.ts';
import { isAnswer, type Observed, type PlatformReads, type Query } from './platform-reads.ts';

/** One answer to a list operation, and what it was asked for. */
export type ListRead = { readonly limit?: number | undefined; readonly answer: Observed };

/** The answers about one list. */
export type ListReads = {
  readonly path: string;
  /** The first page, and the one after it. */
  readonly first: ListRead;
  readonly second?: ListRead | undefined;
  /** A page as large as a setting may ask for, and the one after it. */
  readonly large?: ListRead | undefined;
  readonly afterLarge?: ListRead | undefined;
};

/** Small, so that a list of a few members has a second page. */
export const smallLimit = 2;
/** Larger pages would hold more of persons than a probe needs. */
const largeLimit = 100;

type CursorForm = 'text' | 'number' | 'empty text' | 'null' | 'absent' | 'unreadable';

export type ListPage = {
  readonly form: 'a bare list' | 'pages';
  readonly members: readonly unknown[];
  readonly cursor: CursorForm;
  /** Undefined on the last page. */
  readonly next: string | undefined;
  /** `limit` of the pagination. */
  readonly limit: number | undefined;
};

/** The page of an answer, as the client of Drawbridge reads it; undefined if the answer is not a page. */
export function pageOf(answer: Observed | undefined): ListPage | undefined {
  if (!isAnswer(answer) || !isSuccess(answer)) return undefined;
  const body = parseBody(answer);
  if (Array.isArray(body))
    return { form: 'a bare list', members: body, cursor: 'absent', next: undefined, limit: undefined };
  const members = fieldOf(body, 'data');
  if (!Array.isArray(members)) return undefined;
  const pagination = fieldOf(body, 'pagination');
  const limit = fieldOf(pagination, 'limit');
  return {
    form: 'pages',
    members,
    ...readCursor(fieldOf(pagination, 'cursor')),
    limit: typeof limit === 'number' ? limit : undefined,
  };
}

function readCursor(cursor: unknown): Pick<ListPage, 'cursor' | 'next'> {
  if (typeof cursor === 'string')
    return cursor === '' ? { cursor: 'empty text', next: undefined } : { cursor: 'text', next: cursor };
  if (typeof cursor === 'number' && Number.isSafeInteger(cursor) && cursor >= 0)
    return { cursor: 'number', next: String(cursor) };
  if (cursor === null) return { cursor: 'null', next: undefined };
  return { cursor: cursor === undefined ? 'absent' : 'unreadable', next: undefined };
}

/** Reads a list as far as its form shows: four pages at most. */
export async function readPages(
  path: string,
  first: ListRead,
  read: (query: Query) => ReturnType<PlatformReads['get']>,
  pageSize: number,
): Promise<ListReads> {
  const next = async (before: ListRead): Promise<ListRead | undefined> => {
    const cursor = pageOf(before.answer)?.next;
    if (cursor === undefined) return undefined;
    const { limit } = before;
    return { limit, answer: await read({ cursor, ...(limit !== undefined && { limit }) }) };
  };
  if (pageOf(first.answer)?.form !== 'pages') return { path, first };
  const second = await next(first);
  const large = await readLarge(read, pageSize);
  return { path, first, second, large, afterLarge: await next(large) };
}

/** A limit that is refused says nothing about the page size of the profile. */
async function readLarge(
  read: (query: Query) => ReturnType<PlatformReads['get']>,
  pageSize: number,
): Promise<ListRead> {
  const limit = Math.max(largeLimit, pageSize);
  const answer = await read({ limit });
  if (isAnswer(answer) && answer.status === 400 && limit > pageSize)
    return { limit: pageSize, answer: await read({ limit: pageSize }) };
  return { limit, answer };
}

/** What a list is asked for, and the setting of its path if it has one. */
export type ListPlace = {
  readonly pageSize: number;
  /** Such as `webhookPaths.undelivered`. */
  readonly pathSetting?: string;
};

/** Paths, form, cursor, end and page size of a list (section 2.3). */
export function evaluateList({ path, first, second, large, afterLarge }: ListReads, place: ListPlace): Evaluation {
  if (!isAnswer(first.answer)) return unknown(`${path}: ${first.answer.missed}`);
  if (!isSuccess(first.answer)) return refused(path, first.answer, place);
  const page = pageOf(first.answer);
  if (page === undefined) {
    const fields = nameFields(parseBody(first.answer), ['data', 'items', 'content', 'results', 'pagination', 'page']);
    return problem(`${path} answers neither an array nor an object with the array data: ${fields}`, report);
  }
  if (page.form === 'a bare list') return good(`${path} answers a bare list: ${page.members.length} members`);
  const size = sizeOf(large, pageOf(afterLarge?.answer), place.pageSize);
  const pages = [page, pageOf(second?.answer), pageOf(large?.answer), pageOf(afterLarge?.answer)].filter(
    (one) => one !== undefined,
  );
  const cut = findCut(
    { page, following: pageOf(second?.answer) },
    { page: pageOf(large?.answer), following: pageOf(afterLarge?.answer) },
  );
  const isEndUnknown = isFullWithoutCursor(pageOf(large?.answer) === undefined ? first : large);
  const detail = [
    `${path} answers pages`,
    limitOf(first, page),
    size.detail,
    cursorsOf(pages, cut !== undefined || isEndUnknown),
    cut === undefined ? endOf(pages, pageOf(large?.answer), pageOf(afterLarge?.answer)) : 'the end was not read',
  ].join('; ');
  if (pages.some(({ cursor }) => cursor === 'unreadable'))
    return problem(`${detail}; a cursor is neither a text nor a number`, report);
  const following = pageOf(second?.answer);
  if (
    following !== undefined &&
    following.members.length > 0 &&
    contentOf(following.members) === contentOf(page.members)
  )
    return problem(`${detail}; the page after the cursor is the first page again`, report);
  if (second !== undefined && following === undefined)
    return problem(`${detail}; the page after the cursor gets ${statusOf(second.answer)}`, report);
  if (cut !== undefined)
    return problem(
      `${detail}; the list has ${cut.known} members or more, but its page of ${cut.shown} has no cursor that is read`,
      `${report} Drawbridge reads no member after that page.`,
    );
  if (size.change !== undefined)
    return problem(detail, `Set platformProfile.pageSize to ${size.change.pageSize}.`, size.change);
  if (size.remedy !== undefined) return problem(detail, size.remedy);
  return isEndUnknown && pages.every(({ next }) => next === undefined)
    ? unknown(
        `${detail}; the page is full, so that more may follow`,
        'drawbridge doctor --platform, once the list is shorter',
      )
    : good(detail);
}

type Beginning = { readonly page: ListPage | undefined; readonly following: ListPage | undefined };

/** A page from the beginning of a list that says that it is the last, although more members were read; undefined for none. */
function findCut(...beginnings: readonly Beginning[]): { readonly shown: number; readonly known: number } | undefined {
  const known = Math.max(
    ...beginnings.map(({ page, following }) =>
      countDistinct([...(page?.members ?? []), ...(following?.members ?? [])]),
    ),
  );
  const cut = beginnings.find(({ page }) => page && page.next === undefined && page.members.length < known)?.page;
  return cut && { shown: cut.members.length, known };
}

function countDistinct(members: readonly unknown[]): number {
  return new Set(members.map((member) => contentOf([member]))).size;
}

/** As `drain` sees the end of a list: an empty cursor states it, and an absent one does not. */
function isFullWithoutCursor(read: ListRead | undefined): boolean {
  const page = pageOf(read?.answer);
  if (page === undefined || page.cursor !== 'absent' || page.members.length === 0) return false;
  return (
    page.members.length >= Math.min(read?.limit ?? Number.POSITIVE_INFINITY, page.limit ?? Number.POSITIVE_INFINITY)
  );
}

function cursorsOf(pages: readonly ListPage[], mayContinue: boolean): string {
  const cursors = new Set(pages.filter(({ next }) => next !== undefined).map(({ cursor }) => cursor));
  if (cursors.size > 0) return `the cursor is a ${[...cursors].join(' or a ')}`;
  return mayContinue ? 'no cursor was seen' : 'no cursor was seen, because the list is short';
}

function refused(path: string, { status }: PlatformAnswer, { pathSetting }: ListPlace): Evaluation {
  const detail = `${path} answers ${status}`;
  if (status === 401)
    return problem(detail, 'Ask the operator whether your client may call the API, and check platform.baseUrl.');
  if (status === 400 || status === 403)
    return problem(detail, 'Ask the operator whether the call needs a Requestor-ID, and see the check of requestors.');
  if (status === 404 || status === 405)
    return problem(
      detail,
      pathSetting === undefined
        ? 'Check platform.baseUrl: the specification has this path.'
        : `Ask the operator for the path, and set platformProfile.${pathSetting}.`,
    );
  if (status >= 500 || status === 429) return unknown(detail, 'drawbridge doctor --platform, later');
  return problem(detail, report);
}

function statusOf(answer: Observed): string {
  return isAnswer(answer) ? String(answer.status) : answer.missed;
}

function limitOf({ limit }: ListRead, { members }: ListPage): string {
  if (limit === undefined) return `${members.length} members`;
  if (members.length > limit) return `limit=${limit} is not respected: ${members.length} members`;
  return `limit=${limit} gave ${members.length}`;
}

type Size = {
  readonly detail: string;
  readonly change?: Required<Pick<ProfileChange, 'pageSize'>>;
  readonly remedy?: string;
};

/** Whether the platform takes the page size of the profile. */
function sizeOf(large: ListRead | undefined, after: ListPage | undefined, pageSize: number): Size {
  const page = pageOf(large?.answer);
  const asked = large?.limit ?? 0;
  if (large === undefined || !isAnswer(large.answer)) return { detail: 'the maximum page size is not known' };
  if (page === undefined) {
    const detail = `limit=${asked} gets ${large.answer.status}`;
    const isTooLarge = asked <= pageSize && large.answer.status === 400;
    return isTooLarge
      ? { detail, remedy: 'Ask the operator how many items a page may have, and set platformProfile.pageSize.' }
      : { detail };
  }
  const stated = page.limit !== undefined && page.limit < asked ? page.limit : undefined;
  // A cursor after which nothing comes ends the list, and is not a sign of a page that was cut.
  const isCut = page.next !== undefined && page.members.length < asked && after?.members.length !== 0;
  const maximum = stated ?? (isCut ? page.members.length : undefined);
  if (maximum === undefined) return { detail: `limit=${asked} gave ${page.members.length}` };
  const detail = `limit=${asked} gave ${page.members.length}, so that a page has ${maximum} items at most`;
  return maximum > 0 && maximum < pageSize ? { detail, change: { pageSize: maximum } } : { detail };
}

/** How the list says that there is no further page. */
function endOf(pages: readonly ListPage[], large: ListPage | undefined, after: ListPage | undefined): string {
  const last = pages.find(({ next }) => next === undefined);
  if (last !== undefined) return `the cursor of the last page is ${last.cursor}`;
  if (after !== undefined && large !== undefined && after.next === large.next)
    return 'the last page repeats its cursor';
  if (after !== undefined && after.members.length === 0) return 'an empty page with a cursor follows the last member';
  return 'the end was not read';
}
