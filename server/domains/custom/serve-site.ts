import type { NodeBindings } from '#server/http/client-address.ts'
import { Problem } from '#server/http/problem.ts'
import { toProblemResponse } from '#server/http/problem-response.ts'
import { createRouter } from '#server/http/router.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import type { WebFiles } from '#server/http/web-files.ts'
import type { Services } from '#server/services.ts'
import { getSiteCalls } from './site-calls.ts'

/** Custom hosts accept no tokens, since the owner of the host name controls what its pages can read. */
export function createSiteRouter(services: Services, calls: ServedCall[], web?: WebFiles) {
  const wrongHost = () => new Problem('wrong-host')
  const router = createRouter(services, getSiteCalls(services, calls), wrongHost)
  if (web) {
    router.get('/', ({ req }) => web.serve(req.raw, '/site.html'))
    // Paths without an extension would serve the app, which has a sign-in.
    for (const path of ['/favicon.ico', '/icon.svg', '/theme.js', '/diagram.html', '/assets/:file{[\\w.-]+\\.\\w+}'])
      router.get(path, ({ req }) => web.serve(req.raw, req.path))
  }
  router.notFound(({ req }) => toProblemResponse(services, req.raw, wrongHost()))

  return {
    async fetch(request: Request, bindings: NodeBindings): Promise<Response> {
      const answer = hasToken(request)
        ? toProblemResponse(services, request, wrongHost())
        : await router.fetch(request, bindings)
      // No includeSubDomains: subdomains belong to the name's owner.
      answer.headers.set('strict-transport-security', 'max-age=31536000')
      return answer
    },
  }
}

function hasToken(request: Request): boolean {
  return /^\s*bearer\b/i.test(request.headers.get('authorization') ?? '')
}
