import { ownAccountRoutes } from './accounts/own/routes.ts'
import { accountRoutes } from './accounts/routes.ts'
import { endWithSession } from './accounts/sessions.ts'
import { administrationRoutes } from './administration/routes.ts'
import { chatRoutes } from './agents/chat/routes.ts'
import { agentClassRoutes } from './agents/classes/routes.ts'
import { goldenRoutes } from './agents/golden/routes.ts'
import { intentRoutes } from './agents/intent/routes.ts'
import { modelListRoutes } from './agents/model-lists/routes.ts'
import { agentRoutes } from './agents/routes.ts'
import { runRoutes } from './agents/runs/routes.ts'
import { agentSharingRoutes } from './agents/sharing/routes.ts'
import { personalToolServerRoutes, toolRoutes } from './agents/tools/routes.ts'
import { usageRoutes } from './agents/usage/routes.ts'
import { versionRoutes } from './agents/versions/routes.ts'
import { auditRoutes } from './audit/routes.ts'
import { boardRoutes } from './boards/routes.ts'
import { answerWhileStopping } from './diagnostics/readiness-failures.ts'
import { diagnosticsRoutes } from './diagnostics/routes.ts'
import { tryKey, tryModelService } from './diagnostics/try-key.ts'
import { answerTlsRequest } from './domains/custom/custom-hosts.ts'
import { customDomainRoutes } from './domains/custom/routes.ts'
import { createSiteRouter } from './domains/custom/serve-site.ts'
import { invitationRoutes } from './domains/invitations/routes.ts'
import { peopleRoutes } from './domains/people/routes.ts'
import { domainRoutes } from './domains/routes.ts'
import { domainSetupRoutes } from './domains/setup/routes.ts'
import type { NodeBindings } from './http/client-address.ts'
import { resolveServedHost } from './http/host-check.ts'
import { buildOpenApiDocument } from './http/openapi.ts'
import { Problem } from './http/problem.ts'
import { toProblemResponse } from './http/problem-response.ts'
import { redirectFormPost } from './http/redirect-form-post.ts'
import { createRouter } from './http/router.ts'
import { apiHeaders } from './http/security-headers.ts'
import type { ServedCall } from './http/serve-area.ts'
import type { WebFiles } from './http/web-files.ts'
import { bookRoutes } from './keepers/book/routes.ts'
import { dashboardRoutes } from './keepers/dashboard/routes.ts'
import { echoRoutes } from './keepers/echoes/routes.ts'
import { entryRoutes } from './keepers/entries/routes.ts'
import { journeyRoutes } from './keepers/journeys/routes.ts'
import { logbookRoutes } from './keepers/logbook/routes.ts'
import { keeperMediaRoutes } from './keepers/media/routes.ts'
import { memoryCardRoutes } from './keepers/memory-cards/routes.ts'
import { memoryCheckRoutes } from './keepers/memory-checks/routes.ts'
import { momentRoutes } from './keepers/moments/routes.ts'
import { memoryPatternRoutes } from './keepers/patterns/routes.ts'
import { reflectionRoutes } from './keepers/reflections/routes.ts'
import { keeperRoutes } from './keepers/routes.ts'
import { sampleKeeperRoutes } from './keepers/sample/routes.ts'
import { domainSharingRoutes } from './keepers/shared/routes.ts'
import { soleRoutes } from './keepers/sole/routes.ts'
import { sourceRoutes } from './keepers/sources/routes.ts'
import { templateRoutes } from './keepers/templates/routes.ts'
import { topicRoutes } from './keepers/topics/routes.ts'
import { transferRoutes } from './keepers/transfer/routes.ts'
import { keeperTypeRoutes } from './keepers/types/routes.ts'
import { voiceRoutes } from './keepers/voice/routes.ts'
import { waitingRoutes } from './keepers/waiting/routes.ts'
import { keyRoutes, providerRoutes } from './keys/routes.ts'
import { liveRoutes } from './live/routes.ts'
import { searchRoutes } from './search/routes.ts'
import type { Services } from './services.ts'
import { themeRoutes } from './themes/routes.ts'

export interface App {
  fetch(request: Request, bindings?: NodeBindings): Response | Promise<Response>
  refuseNewRequests(): void
}

export function listServedCalls(services: Services): ServedCall[] {
  return [
    ...accountRoutes(services),
    ...ownAccountRoutes(services),
    ...domainRoutes(services),
    ...customDomainRoutes(services),
    ...invitationRoutes(services),
    ...peopleRoutes(services),
    ...domainSetupRoutes(services),
    ...administrationRoutes(services),
    ...auditRoutes(services),
    ...agentRoutes(services),
    ...runRoutes(services),
    ...chatRoutes(services),
    ...agentSharingRoutes(services),
    ...versionRoutes(services),
    ...goldenRoutes(services),
    ...toolRoutes(services),
    ...personalToolServerRoutes(services),
    ...modelListRoutes(services),
    ...usageRoutes(services),
    ...intentRoutes(services),
    ...keeperTypeRoutes(services),
    ...agentClassRoutes(services),
    ...keeperRoutes(services),
    ...reflectionRoutes(services),
    ...memoryCardRoutes(services),
    ...memoryCheckRoutes(services),
    ...voiceRoutes(services),
    ...echoRoutes(services),
    ...logbookRoutes(services),
    ...momentRoutes(services),
    ...keeperMediaRoutes(services),
    ...journeyRoutes(services),
    ...topicRoutes(services),
    ...soleRoutes(services),
    ...sourceRoutes(services),
    ...domainSharingRoutes(services),
    ...templateRoutes(services),
    ...memoryPatternRoutes(services),
    ...entryRoutes(services),
    ...dashboardRoutes(services),
    ...searchRoutes(services),
    ...waitingRoutes(services),
    ...sampleKeeperRoutes(services),
    ...transferRoutes(services),
    ...bookRoutes(services),
    ...boardRoutes(services),
    ...keyRoutes(services, tryKey),
    ...providerRoutes(services, tryModelService),
    ...themeRoutes(services),
    ...liveRoutes(services, endWithSession),
    ...diagnosticsRoutes(services),
  ]
}

export function createApp(services: Services, web?: WebFiles): App {
  const calls = listServedCalls(services)
  const mainRouter = createRouter(services, calls)
  const siteRouter = createSiteRouter(services, calls, web)
  let openApi: string | undefined
  let isRefusing = false

  mainRouter.get('/api/openapi.json', () => {
    openApi ??= JSON.stringify(buildOpenApiDocument())
    return new Response(openApi, { headers: apiHeaders })
  })
  mainRouter.get('/api/internal/tls-ask', ({ req, env }) => answerTlsRequest(services, req.raw, env))
  const paths = new Set(calls.map((call) => call.endpoint.path))
  mainRouter.notFound(({ req: { raw: request, path } }) => {
    if (request.method === 'OPTIONS') {
      const isKnownPath = paths.has(path) || path.startsWith('/api/')
      return new Response(null, { status: isKnownPath ? 204 : 404, headers: apiHeaders })
    }
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !path.startsWith('/api/')
    if (isPage && web) return web.serve(request, path)
    const pageReload = web && redirectFormPost(request, path)
    if (pageReload) return pageReload
    return toProblemResponse(
      services,
      request,
      new Problem('not-found', { message: 'There’s nothing at this address.' }),
    )
  })

  return {
    refuseNewRequests() {
      isRefusing = true
    },
    fetch(request, bindings) {
      if (isRefusing)
        return (
          answerWhileStopping(request) ??
          toProblemResponse(services, request, new Problem('shutting-down', { retryAfterSeconds: 5 }))
        )
      const host = resolveServedHost(request, bindings, services)
      if (host === null) return toProblemResponse(services, request, new Problem('wrong-host'))
      if (request.method === 'TRACE') return new Response(null, { status: 405, headers: apiHeaders })
      if (host !== 'own') return siteRouter.fetch(request, { ...bindings, site: host })
      if (web && wantsDebugPage(request)) return web.serve(request, '/debug')
      return mainRouter.fetch(request, bindings)
    },
  }
}

function wantsDebugPage(request: Request): boolean {
  // Runs on every request, so it searches the text before parsing the URL.
  return (
    request.url.includes('/debug') &&
    new URL(request.url).pathname === '/debug' &&
    (request.headers.get('accept') ?? '').includes('text/html')
  )
}
