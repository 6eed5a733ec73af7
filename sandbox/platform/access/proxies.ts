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
  /** The pairs that have an ACTIVE proxy, since each call with a proxy asks. */
  const active = new Map<string, string>();
  const pair = (representativeId: string, naturalPersonId: string) => `${representativeId} ${naturalPersonId}`;

  function put(proxy: Proxy): Proxy {
    proxies.set(proxy.proxyId, proxy);
    const key = pair(proxy.representativeId, proxy.naturalPersonId);
    if (proxy.status === 'ACTIVE') active.set(key, proxy.proxyId);
    else if (active.get(key) === proxy.proxyId) active.delete(key);
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
      active.has(pair(representativeId, naturalPersonId)),
    list: (): readonly Proxy[] => [...proxies.values()],
  };
}
