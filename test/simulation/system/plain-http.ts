type HeadersGiven = ConstructorParameters<typeof Headers>[0];
type Content = string | Uint8Array | ArrayBuffer | null;

const formType = 'application/x-www-form-urlencoded';

/** Headers in a map, with the methods that the functions and the app of the sandbox platform use. */
class PlainHeaders implements Pick<Headers, 'append' | 'delete' | 'forEach' | 'get' | 'has' | 'set'> {
  /** The values by header name in lower case. */
  readonly #values = new Map<string, string>();

  constructor(given: HeadersGiven | PlainHeaders = {}) {
    const entries = Symbol.iterator in given ? given : Object.entries(given);
    for (const [name = '', value = ''] of entries) this.append(name, value);
  }

  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }

  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }

  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), String(value));
  }

  append(name: string, value: string): void {
    const before = this.get(name);
    this.set(name, before === null ? value : `${before}, ${value}`);
  }

  delete(name: string): void {
    this.#values.delete(name.toLowerCase());
  }

  forEach(callback: (value: string, name: string, headers: Headers) => void): void {
    for (const [name, value] of this) callback(value, name, this as unknown as Headers);
  }

  /** Iterates the headers in the order of their names. */
  [Symbol.iterator](): Iterator<[string, string]> {
    return [...this.#values].sort(([one], [other]) => (one < other ? -1 : 1)).values();
  }
}

/** A body in memory that is read without streaming. */
class PlainBody {
  readonly body: Content;
  readonly headers: Headers;
  bodyUsed = false;

  constructor(body: Content, headers: HeadersGiven) {
    this.body = body;
    this.headers = new Headers(headers);
  }

  async text(): Promise<string> {
    return this.#take().toString();
  }

  async json(): Promise<unknown> {
    return JSON.parse(await this.text());
  }

  async bytes(): Promise<Uint8Array> {
    return this.#take();
  }

  async arrayBuffer(): Promise<ArrayBufferLike> {
    const bytes = this.#take();
    return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
  }

  /** Reads a URL-encoded form. */
  async formData(): Promise<URLSearchParams> {
    const type = this.headers.get('content-type') ?? '';
    if (!type.startsWith(formType))
      throw new TypeError('The simulation does not support this form: send a URL-encoded one.');
    return new URLSearchParams(await this.text());
  }

  #take(): Buffer {
    if (this.bodyUsed) throw new TypeError('Body is unusable: Body has already been read');
    this.bodyUsed = this.body !== null;
    return this.body instanceof ArrayBuffer ? Buffer.from(this.body) : Buffer.from(this.body ?? '');
  }
}

/** The part of a response that Hono uses. */
class PlainResponse extends PlainBody {
  readonly status: number;

  constructor(body: Content = null, { status = 200, headers }: ResponseInit = {}) {
    super(body, headers);
    this.status = status;
    if (typeof body === 'string' && !this.headers.has('content-type'))
      this.headers.set('content-type', 'text/plain;charset=UTF-8');
  }

  static json(value: unknown, init: ResponseInit = {}): PlainResponse {
    const answer = new PlainResponse(Buffer.from(JSON.stringify(value)), init);
    if (!answer.headers.has('content-type')) answer.headers.set('content-type', 'application/json');
    return answer;
  }
}

/** The part of a request that Hono uses. The length is known, as over a socket. */
export class PlainRequest extends PlainBody {
  readonly url: string;
  readonly method: string;

  constructor(url: string, { method = 'GET', headers, body = null }: RequestInit = {}) {
    if (
      body !== null &&
      typeof body !== 'string' &&
      !(body instanceof URLSearchParams) &&
      !(body instanceof Uint8Array)
    )
      throw new TypeError('The simulation does not support this body: send a text, a form or bytes.');
    const content = body instanceof URLSearchParams ? body.toString() : body;
    super(content, headers);
    this.url = url;
    this.method = method;
    if (body instanceof URLSearchParams && !this.headers.has('content-type'))
      this.headers.set('content-type', `${formType};charset=UTF-8`);
    if (content !== null) this.headers.set('content-length', String(Buffer.byteLength(content)));
  }
}

/**
 * Replaces `Headers` and `Response` of this thread with plain objects. Node's classes support streams, and took a tenth of the
 * time of a history.
 *
 * @returns restores the real ones
 */
export function installPlainHttp(): () => void {
  const real = { Headers, Response };
  Object.assign(globalThis, { Headers: PlainHeaders, Response: PlainResponse });
  return () => void Object.assign(globalThis, real);
}
