import { getNetwork, type NodeBindings } from '#server/http/client-address.ts'
import { normalizeHostName } from '#server/http/host-check.ts'
import { Problem } from '#server/http/problem.ts'
import { toProblemResponse } from '#server/http/problem-response.ts'
import { apiHeaders } from '#server/http/security-headers.ts'
import type { Services } from '#server/services.ts'

/** The proxy asks in every handshake with an unknown name, so the answer comes from memory. Others get a 404. */
export function answerTlsRequest(services: Services, request: Request, bindings: NodeBindings | undefined): Response {
  const names = new URL(request.url).searchParams.getAll('domain')
  if (!isLocalProxy(request, bindings))
    return toProblemResponse(
      services,
      request,
      new Problem('not-found', { message: 'There’s nothing at this address.' }),
    )
  const name = names.length === 1 ? normalizeHostName(names[0] ?? '') : ''
  return new Response(null, { status: isServed(services, name) ? 200 : 404, headers: apiHeaders })
}

function isServed({ settings, customHosts }: Services, name: string): boolean {
  if (name === '') return false
  return (
    customHosts.find(name) !== undefined ||
    (settings.publicUrl !== null && new URL(settings.publicUrl).hostname === name)
  )
}

function isLocalProxy(request: Request, bindings: NodeBindings | undefined): boolean {
  const peer = getNetwork(bindings?.incoming?.socket.remoteAddress ?? '')
  if (!/^127\./.test(peer) && bindings?.incoming?.socket.remoteAddress !== '::1') return false
  return ![...request.headers.keys()].some((name) => forwardingHeaders.has(name) || name.startsWith('x-forwarded-'))
}

const forwardingHeaders = new Set(['forwarded', 'via', 'x-real-ip'])
