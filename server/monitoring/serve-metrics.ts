import { createHash, timingSafeEqual } from 'node:crypto'
import { createNoSuchAddressProblem, Problem } from '#server/http/problem.ts'
import { toProblemResponse } from '#server/http/problem-response.ts'
import { apiHeaders } from '#server/http/security-headers.ts'
import type { Services } from '#server/services.ts'
import { readGauges } from './read-gauges.ts'

/** Answers 404 unless KEEPER_METRICS_TOKEN is set, and 401 without that token. */
export async function serveMetrics(services: Services, request: Request): Promise<Response> {
  const { metrics, settings } = services
  if (!metrics || settings.metricsToken === null)
    return toProblemResponse(services, request, createNoSuchAddressProblem())
  if (!hasToken(request, settings.metricsToken)) {
    const response = toProblemResponse(
      services,
      request,
      new Problem('not-signed-in', { message: 'Send KEEPER_METRICS_TOKEN as a bearer token.' }),
    )
    response.headers.set('www-authenticate', 'Bearer realm="Keeper metrics"')
    return response
  }
  const text = metrics.render(await readGauges(services))
  return new Response(text, { headers: { ...apiHeaders, 'content-type': 'text/plain; version=0.0.4; charset=utf-8' } })
}

/** Compares hashes, so that the time doesn't reveal the length of the token. */
function hasToken(request: Request, token: string): boolean {
  const [, sent = ''] = /^Bearer +(\S+) *$/i.exec(request.headers.get('authorization') ?? '') ?? []
  return timingSafeEqual(toHash(sent), toHash(token))
}

function toHash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
