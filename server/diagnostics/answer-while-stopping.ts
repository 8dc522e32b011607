import { apiHeaders } from '#server/http/security-headers.ts'
import { shuttingDown } from './readiness-failures.ts'

/** Health checks get the reason; every other request is refused elsewhere. */
export function answerWhileStopping(request: Request): Response | null {
  const asksForHealth = request.method === 'GET' && new URL(request.url).pathname === '/health'
  if (!asksForHealth) return null
  return new Response(JSON.stringify({ status: 'unavailable', reasons: [shuttingDown] }), {
    status: 503,
    headers: { ...apiHeaders, 'retry-after': '5' },
  })
}
