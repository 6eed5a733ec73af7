import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** A line to a server of this machine that a test can cut: connections break, and no new one is made. */
export type BreakableLine = {
  readonly port: number;
  readonly cut: () => void;
  readonly join: () => void;
  readonly close: () => void;
};

export async function startBreakableLine(toPort: number): Promise<BreakableLine> {
  const sockets = new Set<Socket>();
  let isCut = false;
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => socket.destroy());
    return socket;
  };
  const server = createServer((client) => {
    if (isCut) {
      client.destroy();
      return;
    }
    const target = keep(connect(toPort, '127.0.0.1'));
    keep(client).pipe(target).pipe(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const breakAll = () => {
    for (const socket of sockets) socket.destroy();
  };
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true;
      breakAll();
    },
    join: () => {
      isCut = false;
    },
    close: () => {
      server.close();
      breakAll();
    },
  };
}
