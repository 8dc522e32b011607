interface TrustedTypes {
  createPolicy(
    name: string,
    rules: { createScriptURL: (url: string) => string; createHTML: (html: string) => string },
  ): { createScriptURL: (url: string) => unknown; createHTML: (html: string) => unknown }
}

const policy = (globalThis as { trustedTypes?: TrustedTypes }).trustedTypes?.createPolicy('keeper', {
  createScriptURL: requireAllowedUrl,
  createHTML: requireCharacterReference,
})

/** For APIs that start a script from a URL: new Worker(…), serviceWorker.register(…). */
export function toTrustedScriptUrl(url: string): string {
  return (policy ? policy.createScriptURL(url) : requireAllowedUrl(url)) as string
}

/** Accepts only character references such as `&auml;` as HTML, so that the browser decodes them. */
export function toTrustedCharacterReference(reference: string): string {
  return (policy ? policy.createHTML(reference) : requireCharacterReference(reference)) as string
}

function requireCharacterReference(reference: string): string {
  if (/^&\w+;$/.test(reference)) return reference
  throw new TypeError('Not a character reference')
}

function requireAllowedUrl(url: string): string {
  const { origin, pathname, href } = new URL(url, location.href)
  const isSameOrigin = origin === location.origin
  const isBuiltScript = pathname.startsWith('/assets/') || pathname === '/sw.js'
  if (isSameOrigin && (isBuiltScript || import.meta.env.DEV)) return href
  throw new TypeError(`A script from ${href} is not trusted`)
}
