import type { Context } from 'hono'
import type { NodeBindings } from '#server/http/client-address.ts'
import { Problem } from '#server/http/problem.ts'
import { problemResponse } from '#server/http/problem-answer.ts'
import { createRouter } from '#server/http/router.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import type { WebFiles } from '#server/http/web-files.ts'
import type { Services } from '#server/services.ts'
import { callsOfSite } from './calls-of-site.ts'

/**
 * What is served on custom hosts: the public page, its files, and a visitor's chat with that domain's Lead agent. Nobody
 * signs in there and no token counts: whoever holds the domain name decides tomorrow what its pages read.
 */
export function createSite(services: Services, calls: ServedCall[], web?: WebFiles) {
  const wrongHost = () => new Problem('wrong-host')
  const router = createRouter(services, callsOfSite(services, calls), wrongHost)
  if (web) {
    router.get('/', (context) => web.answer(context.req.raw, '/site.html'))
    const file = (context: Context) => web.answer(context.req.raw, context.req.path)
    // What has no ending is answered with the app, which signs people in.
    for (const path of ['/favicon.ico', '/icon.svg', '/theme.js', '/assets/:file{[\\w.-]+\\.\\w+}'])
      router.get(path, file)
  }
  router.all('*', (context) => problemResponse(services, context.req.raw, wrongHost()))
  router.onError((error, context) => problemResponse(services, context.req.raw, error))

  return {
    async fetch(request: Request, bindings: NodeBindings): Promise<Response> {
      const answer = holdsToken(request)
        ? problemResponse(services, request, wrongHost())
        : await router.fetch(request, bindings)
      // What stands below the name is not ours to move to https.
      answer.headers.set('strict-transport-security', 'max-age=31536000')
      return answer
    },
  }
}

function holdsToken(request: Request): boolean {
  return /^\s*bearer\b/i.test(request.headers.get('authorization') ?? '')
}
