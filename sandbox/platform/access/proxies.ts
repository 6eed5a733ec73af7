/** Who may represent whom (section 5, Requestor-ID header, rule 5). */
export type Proxy = {
  readonly proxyId: string;
  /** The natural person that represents. */
  readonly representativeId: string;
  /** The natural person that is represented. */
  readonly naturalPersonId: string;
  readonly status: 'ACTIVE' | 'INACTIVE';
};

export type Proxies = ReturnType<typeof createProxies>;

export function createProxies({ newId }: { readonly newId: () => string }) {
  const proxies = new Map<string, Proxy>();
  /** The ACTIVE ones of each pair, since each call with a proxy asks. A pair can have several. */
  const active = new Map<string, Set<string>>();

  function put(proxy: Proxy): Proxy {
    proxies.set(proxy.proxyId, proxy);
    const pair = pairOf(proxy.representativeId, proxy.naturalPersonId);
    const ids = active.get(pair) ?? new Set();
    if (proxy.status === 'ACTIVE') ids.add(proxy.proxyId);
    else ids.delete(proxy.proxyId);
    active.set(pair, ids);
    return proxy;
  }

  return {
    create: (representativeId: string, naturalPersonId: string): Proxy =>
      put({ proxyId: newId(), representativeId, naturalPersonId, status: 'ACTIVE' }),
    /** It entitles to nothing any more. Undefined where there is none of this id. */
    deactivate: (proxyId: string): Proxy | undefined => {
      const proxy = proxies.get(proxyId);
      return proxy && put({ ...proxy, status: 'INACTIVE' });
    },
    isActive: (representativeId: string, naturalPersonId: string): boolean =>
      (active.get(pairOf(representativeId, naturalPersonId))?.size ?? 0) > 0,
    list: (): readonly Proxy[] => [...proxies.values()],
  };
}

function pairOf(representativeId: string, naturalPersonId: string): string {
  return `${representativeId} ${naturalPersonId}`;
}
