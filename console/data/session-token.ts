/** What the windows of a browser send with each request. Storage is kept by origin with its port, and cookies are not. */
const key = 'drawbridge-session';

/** The header that opens the session; a window without a session has none to send. */
export function sessionHeaders(token = sessionToken()): Readonly<Record<string, string>> {
  return { authorization: `Bearer ${token}` };
}

export function sessionToken(): string {
  return localStorage.getItem(key) ?? '';
}

/** Exchanges the token of the address for a session, and leaves the address: `/open#token=…`. */
export async function openSession(): Promise<void> {
  if (location.pathname !== '/open') return;
  const token = new URLSearchParams(location.hash.slice(1)).get('token') ?? '';
  const headers = { 'content-type': 'application/json' };
  const answer = await fetch('/api/open', { method: 'POST', headers, body: JSON.stringify({ token }) }).catch(
    () => undefined,
  );
  if (answer?.ok === true) {
    const { session }: { readonly session: string } = await answer.json();
    localStorage.setItem(key, session);
  }
  history.replaceState(null, '', '/');
}
