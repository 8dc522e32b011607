import { securityHeaders } from './security-headers.ts'

const pagesWithForm = ['/login', '/register']

/** Redirects a sign-in form posted before the script loaded to its page, without reading the password in its body. */
export function pageAgain(request: Request, path: string): Response | undefined {
  if (request.method !== 'POST' || !pagesWithForm.includes(path)) return undefined
  const says = (header: string, wanted: string) => (request.headers.get(header) ?? '').toLowerCase().includes(wanted)
  if (!says('content-type', 'application/x-www-form-urlencoded') || !says('accept', 'text/html')) return undefined
  const location = path + new URL(request.url).search
  return new Response(null, { status: 303, headers: { ...securityHeaders, location, 'cache-control': 'no-store' } })
}
