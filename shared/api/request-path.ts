/** Whether an id in a path could name something else: API Gateway decodes a path before it routes it, and ends it at a `?`. */
export function changesPath(id: string): boolean {
  return /[/\\?#%]/.test(id);
}

/** A path from the parts of a template, with ids between them, which it encodes. */
export function joinPath(parts: readonly string[], ids: readonly string[]): string {
  return parts.reduce((path, part, index) => `${path}${encodeURIComponent(ids[index - 1] ?? '')}${part}`);
}
