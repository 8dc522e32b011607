import { securityHeaders } from './security-headers.ts'

const pagesWithForm = ['/login', '/register']

/**
 * Somebody was faster than the script of a sign-in page, so their browser posts its form here: it gets the page again.
 * What it carries holds a password: nobody reads or logs it. `undefined` for every other request.
 */
export function pageAgain(request: Request, path: string): Response | undefined {
  if (request.method !== 'POST' || !pagesWithForm.includes(path)) return undefined
  const says = (header: string, wanted: string) => (request.headers.get(header) ?? '').toLowerCase().includes(wanted)
  if (!says('content-type', 'application/x-www-form-urlencoded') || !says('accept', 'text/html')) return undefined
  const location = path + new URL(request.url).search
  return new Response(null, { status: 303, headers: { ...securityHeaders, location, 'cache-control': 'no-store' } })
}
