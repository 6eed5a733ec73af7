import { parseJson } from '#shared/parse-json.ts';
import { type SearchPlace, searchPlace } from '#shared/platform/client/search-list.ts';

/** No cursor of a platform begins so: a cursor goes into a URL. */
const mark = '\u{e000}';

/** Where a search is, as the `cursor` of an onboarding keeps it. */
export function writeSearchPlace(place: SearchPlace): string {
  return `${mark}${JSON.stringify(place)}`;
}

/** Where a search continues; release 0.2.0 kept only the cursor. A place that cannot be read begins the search again. */
export function readSearchPlace(kept: string | undefined): Partial<SearchPlace> {
  if (kept === undefined) return {};
  if (!kept.startsWith(mark)) return { cursor: kept };
  return searchPlace.safeParse(parseJson(kept.slice(mark.length))).data ?? {};
}
