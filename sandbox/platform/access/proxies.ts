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
  /** The ACTIVE proxy of each representative for each person, since each call with a proxy asks. */
  const active = new Map<string, Map<string, string>>();

  function put(proxy: Proxy): Proxy {
    proxies.set(proxy.proxyId, proxy);
    const represented = active.get(proxy.representativeId) ?? new Map<string, string>();
    active.set(proxy.representativeId, represented);
    if (proxy.status === 'ACTIVE') represented.set(proxy.naturalPersonId, proxy.proxyId);
    else if (represented.get(proxy.naturalPersonId) === proxy.proxyId) represented.delete(proxy.naturalPersonId);
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
      active.get(representativeId)?.has(naturalPersonId) === true,
    /** Whether there is anybody whom this person may represent. */
    isRepresentative: (naturalPersonId: string): boolean => (active.get(naturalPersonId)?.size ?? 0) > 0,
    list: (): readonly Proxy[] => [...proxies.values()],
  };
}
