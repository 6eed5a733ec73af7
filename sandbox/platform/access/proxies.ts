import * as z from 'zod';

/** A natural person or a legal entity that is represented. */
export type Represented =
  | { readonly naturalPersonId: string; readonly legalEntityId?: undefined }
  | { readonly naturalPersonId?: undefined; readonly legalEntityId: string };

/** A proxy: a natural person may represent another one, or a legal entity (section 5, rule 5). */
export const proxy = z
  .strictObject({
    proxyId: z.uuid(),
    /** The representing natural person. */
    representativeId: z.uuid(),
    /** The represented natural person; undefined if a legal entity is represented. */
    naturalPersonId: z.uuid().optional(),
    legalEntityId: z.uuid().optional(),
    status: z.enum(['ACTIVE', 'INACTIVE']),
  })
  .meta({ id: 'Proxy' });

type Proxy = z.infer<typeof proxy>;

export type Proxies = ReturnType<typeof createProxies>;

export function createProxies({ newId }: { readonly newId: () => string }) {
  const proxies = new Map<string, Proxy>();
  /** The ACTIVE proxies of each pair, because each call with a proxy needs it. */
  const active = new Map<string, Set<string>>();
  /** Every person that has or had a proxy. */
  const representatives = new Set<string>();

  function put(proxy: Proxy): Proxy {
    proxies.set(proxy.proxyId, proxy);
    const pair = pairOf(proxy.representativeId, proxy.naturalPersonId ?? proxy.legalEntityId ?? '');
    const ids = active.get(pair) ?? new Set();
    if (proxy.status === 'ACTIVE') ids.add(proxy.proxyId);
    else ids.delete(proxy.proxyId);
    active.set(pair, ids);
    return proxy;
  }

  function represent(representativeId: string, represented: Represented): Proxy {
    representatives.add(representativeId);
    return put({ proxyId: newId(), representativeId, ...represented, status: 'ACTIVE' });
  }

  return {
    represent,
    /** A proxy for a natural person. */
    create: (representativeId: string, naturalPersonId: string): Proxy =>
      represent(representativeId, { naturalPersonId }),
    /** Ends a proxy. Returns undefined for an unknown id. */
    deactivate: (proxyId: string): Proxy | undefined => {
      const proxy = proxies.get(proxyId);
      return proxy && put({ ...proxy, status: 'INACTIVE' });
    },
    /** @param representedId of a natural person or a legal entity: no two have the same UUID */
    isActive: (representativeId: string, representedId: string): boolean =>
      (active.get(pairOf(representativeId, representedId))?.size ?? 0) > 0,
    /** Whether the person has or had a proxy. `isActive` says for whom. */
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

function pairOf(representativeId: string, representedId: string): string {
  return `${representativeId} ${representedId}`;
}
