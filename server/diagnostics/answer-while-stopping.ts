import { apiHeaders } from '#server/http/security-headers.ts'
import { shuttingDownReason } from './readiness-failures.ts'

export function answerWhileStopping(request: Request): Response | null {
  const isHealthRequest = request.method === 'GET' && new URL(request.url).pathname === '/health'
  if (!isHealthRequest) return null
  return new Response(JSON.stringify({ status: 'unavailable', reasons: [shuttingDownReason] }), {
    status: 503,
    headers: { ...apiHeaders, 'retry-after': '5' },
  })
}
