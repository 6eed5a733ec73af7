/** A proxy: one natural person may represent another (section 5, rule 5). */
export type Proxy = {
  readonly proxyId: string;
  /** The representing natural person. */
  readonly representativeId: string;
  /** The represented natural person. */
  readonly naturalPersonId: string;
  readonly status: 'ACTIVE' | 'INACTIVE';
};

export type Proxies = ReturnType<typeof createProxies>;

export function createProxies({ newId }: { readonly newId: () => string }) {
  const proxies = new Map<string, Proxy>();
  /** The number of ACTIVE proxies of each pair, because each call with a proxy needs it. */
  const active = new Map<string, Set<string>>();
  /** Every person that has or had a proxy. */
  const representatives = new Set<string>();

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
    create: (representativeId: string, naturalPersonId: string): Proxy => {
      representatives.add(representativeId);
      return put({ proxyId: newId(), representativeId, naturalPersonId, status: 'ACTIVE' });
    },
    /** Ends a proxy. Returns undefined for an unknown id. */
    deactivate: (proxyId: string): Proxy | undefined => {
      const proxy = proxies.get(proxyId);
      return proxy && put({ ...proxy, status: 'INACTIVE' });
    },
    isActive: (representativeId: string, naturalPersonId: string): boolean =>
      (active.get(pairOf(representativeId, naturalPersonId))?.size ?? 0) > 0,
    /** Whether the person has or had a proxy. `isActive` tells for which person. */
    mayRepresent: (naturalPersonId: string): boolean => representatives.has(naturalPersonId),
    /** Replaces every proxy. */
    restore: (saved: readonly Proxy[]): void => {
      for (const collection of [proxies, active, representatives]) collection.clear();
      for (const proxy of saved) {
        representatives.add(proxy.representativeId);
        put(proxy);
      }
    },
    list: (): readonly Proxy[] => [...proxies.values()],
  };
}

function pairOf(representativeId: string, naturalPersonId: string): string {
  return `${representativeId} ${naturalPersonId}`;
}
