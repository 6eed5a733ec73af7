import { type ClientRequest, Agent as HttpAgent, type IncomingMessage, request as requestHttp } from 'node:http';
import { Agent as HttpsAgent, request as requestHttps } from 'node:https';
import { connect, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** In milliseconds. */
export type HttpLimits = {
  /** For a connection. */
  readonly connectionTimeout: number;
  /** From the request to the end of its answer. */
  readonly requestTimeout: number;
};

export type HttpAnswer = {
  readonly status: number;
  readonly headers: IncomingMessage['headers'];
  readonly text: string;
};

export type HttpClient = {
  /** @throws {TimeoutError} and what Node throws of a connection */
  readonly post: (headers: Readonly<Record<string, string>>, body: string) => Promise<HttpAnswer>;
  /** Opens a connection for the next request, which then need not wait for one. A connection that fails is no error. */
  readonly connectAhead: () => void;
};

/** AWS gave no connection, or no answer, in time. The name is that of the SDK. */
export class TimeoutError extends Error {
  override readonly name = 'TimeoutError';
}

/** As the SDK has it. */
const maxSockets = 50;

/** Posts to one address. Connections are kept alive: a request seldom waits for a new one. */
export function createHttpClient({ protocol, hostname, port, pathname }: URL, limits: HttpLimits): HttpClient {
  const isPlain = protocol === 'http:';
  const agent = isPlain
    ? new HttpAgent({ keepAlive: true, maxSockets })
    : new HttpsAgent({ keepAlive: true, maxSockets });
  const host = hostname.replaceAll(/[[\]]/g, '');
  const defaultPort = isPlain ? 80 : 443;
  const address = { host, port: port === '' ? defaultPort : Number(port) };
  const options = { ...address, agent, path: pathname, method: 'POST' };
  const request = isPlain ? requestHttp : requestHttps;
  let spare: Socket | undefined;

  function connectAhead(): void {
    const socket = isPlain ? connect(address) : connectTls({ ...address, servername: isIP(host) === 0 ? host : '' });
    // The request that takes the connection learns of a failure by itself. Until then nothing waits for the connection.
    socket.on('error', () => undefined).unref();
    spare = socket;
  }

  const createConnection = agent.createConnection.bind(agent);
  agent.createConnection = (connection, callback) => {
    const socket = spare;
    spare = undefined;
    return socket === undefined || socket.destroyed ? createConnection(connection, callback) : socket.ref();
  };

  const post: HttpClient['post'] = (headers, body) => {
    const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
    const outgoing = request({ ...options, headers });
    const stop = limitTime(outgoing, limits);
    const fail = (error: Error) => {
      stop();
      reject(error);
    };
    outgoing.on('error', fail);
    outgoing.on('response', (incoming: IncomingMessage) => {
      let text = '';
      incoming.setEncoding('utf8');
      incoming.on('data', (chunk: string) => {
        text += chunk;
      });
      incoming.on('error', fail);
      incoming.on('end', () => {
        stop();
        resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers, text });
      });
    });
    outgoing.end(body);
    return promise;
  };
  return { post, connectAhead };
}

/** Ends a request that takes too long. Returns what ends the watch. */
function limitTime(outgoing: ClientRequest, { connectionTimeout, requestTimeout }: HttpLimits): () => void {
  const end = (what: string) => () => void outgoing.destroy(new TimeoutError(`AWS gave no ${what} in time.`));
  const timers = [setTimeout(end('answer'), requestTimeout)];
  outgoing.on('socket', (socket) => {
    if (!socket.connecting) return;
    const connecting = setTimeout(end('connection'), connectionTimeout);
    timers.push(connecting);
    socket.once('connect', () => clearTimeout(connecting));
  });
  return () => {
    for (const timer of timers) clearTimeout(timer);
  };
}
