import { apiHeaders } from '#server/http/security-headers.ts'
import { shuttingDown } from './readiness-failures.ts'

/** Whoever watches /health is told the reason in the words it reads. Everything else is refused as it is. */
export function answerWhileStopping(request: Request): Response | null {
  const asksForHealth = request.method === 'GET' && new URL(request.url).pathname === '/health'
  if (!asksForHealth) return null
  return new Response(JSON.stringify({ status: 'unavailable', reasons: [shuttingDown] }), {
    status: 503,
    headers: { ...apiHeaders, 'retry-after': '5' },
  })
}
