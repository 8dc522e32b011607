interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string },
  ): { createScriptURL: (url: string) => unknown }
}

const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('keeper', {
  createScriptURL: allowed,
})

/**
 * For what starts a script from an address: new Worker(…), serviceWorker.register(…).
 * @public the only door the page policy leaves; the offline shell goes through it
 */
export function trustedScriptUrl(url: string): string {
  return (policy ? policy.createScriptURL(url) : allowed(url)) as string
}

function allowed(url: string): string {
  const { origin, pathname, href } = new URL(url, location.href)
  const ours = origin === location.origin
  const built = pathname.startsWith('/assets/') || pathname === '/sw.js'
  if (ours && (built || import.meta.env.DEV)) return href
  throw new TypeError(`A script from ${href} is not trusted`)
}
