/** The path after signing in, or undefined for another site or a page for visitors. */
export function getSafeNext(search: string, origin: string): string | undefined {
  return toSafePath(new URLSearchParams(search).get('next') ?? undefined, origin)
}

export function toSafePath(next: string | undefined, origin: string): string | undefined {
  if (!next?.startsWith('/') || /[\\\s]/.test(next) || next.startsWith('//')) return undefined
  const url = URL.parse(next, origin)
  if (!url || url.origin !== origin || /^\/(login|register)?$/.test(url.pathname)) return undefined
  return url.pathname + url.search + url.hash
}
