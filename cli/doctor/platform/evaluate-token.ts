import { isSuccess, parseBody } from '#shared/platform/client/http.ts';
import { receivedNumber } from '#shared/platform/fields/received.ts';
import { type Evaluation, fieldOf, good, type ProfileChange, problem, report, unknown } from './evaluation.ts';
import { isAnswer, type Observed } from './platform-reads.ts';

/** The token requests of a run: the first to the path of the profile. */
export type TokenAttempt = { readonly path: string; readonly answer: Observed };

/** Whether there may be no token service at this path: an API may refuse what has no token before it checks the path. */
export function isNoTokenService({ answer }: TokenAttempt): boolean {
  if (!isAnswer(answer) || answer.status < 400 || answer.status >= 500 || answer.status === 429) return false;
  return isNoPath(answer.status) || !oauthErrors.has(fieldOf(parseBody(answer), 'error'));
}

function isNoPath(status: number): boolean {
  return status === 404 || status === 405;
}

/** RFC 6749, section 5.2. Any other text is not printed. */
const oauthErrors: ReadonlyMap<unknown, string> = new Map([
  ['invalid_client', 'Check the client id, the client secret and platform.authUrl.'],
  ['unauthorized_client', 'Ask the operator to allow client_credentials to your client.'],
  ['unsupported_grant_type', 'Ask the operator whether the token service offers client_credentials.'],
  ['invalid_scope', 'Ask the operator for the scope, and set platformProfile.token.scope.'],
  ['invalid_request', 'Ask the operator whether a scope is needed, and set platformProfile.token.scope.'],
  ['invalid_grant', 'Check the client id, the client secret and platform.authUrl.'],
]);

/** The path of the token request, its scope, and the forms of its answer (section 5.3). */
export function evaluateToken(attempts: readonly TokenAttempt[], scope: string | undefined): Evaluation {
  const [configured] = attempts;
  if (configured === undefined) return unknown('no token was requested');
  // A path that is not there says less than any other answer.
  const answering = attempts.findLast((one) => !isNoTokenService(one));
  const { path, answer } =
    answering ?? attempts.find((one) => isAnswer(one.answer) && !isNoPath(one.answer.status)) ?? configured;
  if (!isAnswer(answer)) return unknown(`${path}: ${answer.missed}`, 'Check platform.authUrl and your network.');
  if (isNoPath(answer.status))
    return problem(
      `no token service at ${attempts.map((one) => one.path).join(' and ')} (${answer.status})`,
      'Ask the operator for the path, and set platformProfile.token.path.',
    );
  const body = parseBody(answer);
  const change = answering === undefined || path === configured.path ? undefined : { token: { path } };
  if (!isSuccess(answer)) return refused(path, answer.status, fieldOf(body, 'error'), change);
  const forms = formsOf(body);
  const scoped = scope === undefined ? 'without a scope' : 'with the scope of the profile';
  const detail = `${path} answers ${scoped}: ${forms.map(({ text }) => text).join(', ')}`;
  if (forms.some(({ isReadable }) => !isReadable)) return problem(detail, report);
  return change === undefined ? good(detail) : problem(detail, setPath(path), change);
}

function setPath(path: string): string {
  return `Set platformProfile.token.path to ${path}.`;
}

function refused(path: string, status: number, error: unknown, change: ProfileChange | undefined): Evaluation {
  const remedy = oauthErrors.get(error);
  const named = remedy === undefined ? 'with no error of RFC 6749' : String(error);
  const detail = `${path} answers ${status} (${named})`;
  if (status >= 500 || status === 429) return unknown(detail, 'drawbridge doctor --platform, later');
  const advice = remedy ?? 'Check the client id, the client secret, platform.authUrl and platformProfile.token.';
  return problem(detail, change === undefined ? advice : `${setPath(path)} ${advice}`, change);
}

function formsOf(body: unknown): readonly { readonly text: string; readonly isReadable: boolean }[] {
  const token = fieldOf(body, 'access_token');
  const type = fieldOf(body, 'token_type');
  const expiry = fieldOf(body, 'expires_in');
  const seconds = receivedNumber.safeParse(expiry);
  const isBearer = typeof type === 'string' && /^bearer$/i.test(type);
  return [
    {
      text: typeof token === 'string' ? 'access_token a text' : 'no access_token',
      isReadable: typeof token === 'string' && /^[\x21-\x7e]+$/.test(token),
    },
    typeForm(type, isBearer),
    seconds.success && seconds.data > 0
      ? {
          text: `expires_in ${seconds.data} s as a ${typeof expiry === 'string' ? 'text' : 'number'}`,
          isReadable: true,
        }
      : { text: 'no expires_in above 0', isReadable: false },
  ];
}

function typeForm(type: unknown, isBearer: boolean) {
  if (type === undefined || type === null) return { text: 'no token_type', isReadable: true };
  return isBearer
    ? { text: 'token_type Bearer', isReadable: true }
    : { text: 'token_type not Bearer', isReadable: false };
}
