import { securityHeaders } from './security-headers.ts'

const pagesWithForm = ['/login', '/register']

/** Redirects a sign-in form posted before the script loaded to its page, without reading the password in its body. */
export function redirectFormPost(request: Request, path: string): Response | undefined {
  if (request.method !== 'POST' || !pagesWithForm.includes(path)) return undefined
  const hasHeader = (header: string, expected: string) =>
    (request.headers.get(header) ?? '').toLowerCase().includes(expected)
  if (!hasHeader('content-type', 'application/x-www-form-urlencoded') || !hasHeader('accept', 'text/html'))
    return undefined
  const location = path + new URL(request.url).search
  return new Response(null, { status: 303, headers: { ...securityHeaders, location, 'cache-control': 'no-store' } })
}
