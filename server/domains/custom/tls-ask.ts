import { type NodeBindings, networkOf } from '#server/http/client-address.ts'
import { plainName } from '#server/http/host-check.ts'
import { Problem } from '#server/http/problem.ts'
import { problemResponse } from '#server/http/problem-answer.ts'
import { apiHeaders } from '#server/http/security-headers.ts'
import type { Services } from '#server/services.ts'

/**
 * May this name have a certificate? The proxy on this machine asks it in every handshake with an unknown name, so it is
 * answered from memory, for exactly the names that are served. Everybody else is told what an unknown address says.
 */
export function answerTlsAsk(services: Services, request: Request, bindings: NodeBindings | undefined): Response {
  const names = new URL(request.url).searchParams.getAll('domain')
  if (!isProxyOfThisMachine(request, bindings))
    return problemResponse(
      services,
      request,
      new Problem('not-found', { message: 'There is nothing at this address.' }),
    )
  const name = names.length === 1 ? plainName(names[0] ?? '') : ''
  return new Response(null, { status: isServed(services, name) ? 200 : 404, headers: apiHeaders })
}

function isServed({ settings, customHosts }: Services, name: string): boolean {
  if (name === '') return false
  return (
    customHosts.find(name) !== undefined ||
    (settings.publicUrl !== null && new URL(settings.publicUrl).hostname === name)
  )
}

/** Itself, not on behalf of somebody who came to it: then it would say for whom. */
function isProxyOfThisMachine(request: Request, bindings: NodeBindings | undefined): boolean {
  const peer = networkOf(bindings?.incoming?.socket.remoteAddress ?? '')
  if (!/^127\./.test(peer) && bindings?.incoming?.socket.remoteAddress !== '::1') return false
  return ![...request.headers.keys()].some((name) => onBehalf.has(name) || name.startsWith('x-forwarded-'))
}

const onBehalf = new Set(['forwarded', 'via', 'x-real-ip'])
