import type { Asked } from '#server/http/addresses.ts'
import type { NodeBindings } from '#server/http/client-address.ts'
import { Problem } from '#server/http/problem.ts'
import { problemResponse } from '#server/http/problem-answer.ts'
import { createRouter } from '#server/http/router.ts'
import type { ServedCall } from '#server/http/serve-area.ts'
import type { WebFiles } from '#server/http/web-files.ts'
import type { Services } from '#server/services.ts'
import { callsOfSite } from './calls-of-site.ts'

/** Custom hosts accept no tokens, since the owner of the host name controls what its pages can read. */
export function createSite(services: Services, calls: ServedCall[], web?: WebFiles) {
  const wrongHost = () => new Problem('wrong-host')
  const addresses = createRouter(services, callsOfSite(services, calls), wrongHost)
  if (web) {
    addresses.on('GET', '/', ({ request }) => web.answer(request, '/site.html'))
    const file = ({ request, path }: Asked) => web.answer(request, path)
    // Paths without an extension would serve the app, which has a sign-in.
    for (const path of ['/favicon.ico', '/icon.svg', '/theme.js', '/diagram.html', '/assets/:file{[\\w.-]+\\.\\w+}'])
      addresses.on('GET', path, file)
  }
  addresses.on('ALL', '*', ({ request }) => problemResponse(services, request, wrongHost()))

  return {
    async fetch(request: Request, bindings: NodeBindings): Promise<Response> {
      const answer = holdsToken(request)
        ? problemResponse(services, request, wrongHost())
        : await addresses.fetch(request, bindings)
      // No includeSubDomains: subdomains belong to the name's owner.
      answer.headers.set('strict-transport-security', 'max-age=31536000')
      return answer
    },
  }
}

function holdsToken(request: Request): boolean {
  return /^\s*bearer\b/i.test(request.headers.get('authorization') ?? '')
}
