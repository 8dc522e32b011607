import { answerBackChannelLogout } from './accounts/oidc/back-channel-logout.ts'
import { ownAccountRoutes } from './accounts/own/routes.ts'
import { accountRoutes } from './accounts/routes.ts'
import { watchSession } from './accounts/sessions.ts'
import { grantRole, revokeRole } from './administration/roles.ts'
import { administrationRoutes } from './administration/routes.ts'
import { agentRoutes } from './agents/routes.ts'
import { auditRoutes } from './audit/routes.ts'
import { backupRoutes } from './backups/routes.ts'
import { boardRoutes } from './boards/routes.ts'
import { createMcpEndpoint } from './connections/mcp/mcp-endpoint.ts'
import {
  answerPreflight,
  answerRegistration,
  answerRevocation,
  answerToken,
  resourceMetadataPaths,
  serverMetadataPaths,
  showResourceMetadata,
  showServerMetadata,
} from './connections/oauth/oauth-endpoints.ts'
import { answerChat, answerModel, answerModels } from './connections/openai/openai-endpoint.ts'
import { connectionRoutes } from './connections/routes.ts'
import { answerWhileStopping } from './diagnostics/readiness-failures.ts'
import { diagnosticsRoutes } from './diagnostics/routes.ts'
import { tryKey, tryModelService } from './diagnostics/try-key.ts'
import { answerTlsRequest } from './domains/custom/custom-hosts.ts'
import { createSiteRouter } from './domains/custom/serve-site.ts'
import { domainRoutes } from './domains/routes.ts'
import type { NodeBindings } from './http/client-address.ts'
import { refuseWrongHost, resolveServedHost } from './http/host-check.ts'
import { isProbe } from './http/http-server.ts'
import { createOpenApiEndpoint } from './http/openapi/build-document.ts'
import { createNoSuchAddressProblem, Problem } from './http/problem.ts'
import { toProblemResponse } from './http/problem-response.ts'
import { createRouter } from './http/router.ts'
import { apiHeaders, securityHeaders } from './http/security-headers.ts'
import type { ServedCall } from './http/serve-area.ts'
import type { WebFiles } from './http/web-files.ts'
import { keeperRoutes } from './keepers/routes.ts'
import { keeperCatalogRoutes } from './keepers/types/routes.ts'
import { keyRoutes, providerRoutes } from './keys/routes.ts'
import { liveRoutes } from './live/routes.ts'
import { serveMetrics } from './monitoring/serve-metrics.ts'
import { searchRoutes } from './search/routes.ts'
import type { Services } from './services.ts'
import { withRequestOrigin } from './settings/public-url.ts'
import { themeRoutes } from './themes/routes.ts'

type RefusalPeriod = 'shutting-down' | 'restoring'

export interface App {
  fetch(request: Request, bindings?: NodeBindings): Response | Promise<Response>
  /** While restoring, pages are still served, so that a reload shows what is going on. */
  refuseNewRequests(reason?: RefusalPeriod): void
}

export function listServedCalls(services: Services): ServedCall[] {
  return [
    ...accountRoutes(services, { grantRole, revokeRole }),
    ...ownAccountRoutes(services),
    ...domainRoutes(services),
    ...administrationRoutes(services),
    ...auditRoutes(services),
    ...backupRoutes(services),
    ...agentRoutes(services),
    ...keeperCatalogRoutes(services),
    ...keeperRoutes(services),
    ...searchRoutes(services),
    ...boardRoutes(services),
    ...keyRoutes(services, tryKey),
    ...providerRoutes(services, tryModelService),
    ...connectionRoutes(services),
    ...themeRoutes(services),
    ...liveRoutes(services, watchSession),
    ...diagnosticsRoutes(services),
  ]
}

/** Paths of programs, which would take a page for an answer. `/oauth/authorize` is the consent page. */
const programPaths = /^\/(mcp|v1|\.well-known)(\/|$)|^\/oauth\/(?!authorize$)/

export function createApp(services: Services, web?: WebFiles): App {
  const calls = listServedCalls(services)
  const mainRouter = createRouter(services, calls)
  const siteRouter = createSiteRouter(services, calls, web)
  let refusal: RefusalPeriod | undefined

  const answerOpenApi = createOpenApiEndpoint()
  mainRouter.get('/api/openapi.json', ({ req }) => answerOpenApi(req.raw))
  const answerMcp = createMcpEndpoint(services)
  // Some programs add the slash.
  for (const path of ['/mcp', '/mcp/']) mainRouter.all(path, ({ req, env }) => answerMcp(req.raw, env))
  for (const path of resourceMetadataPaths) mainRouter.get(path, () => showResourceMetadata(services))
  for (const path of serverMetadataPaths) mainRouter.get(path, () => showServerMetadata(services))
  mainRouter.get('/v1/models', ({ req }) => answerModels(services, req.raw))
  mainRouter.get('/v1/models/:slug', ({ req }) => answerModel(services, req.raw, req.param('slug')))
  mainRouter.post('/v1/chat/completions', ({ req, env }) => answerChat(services, req.raw, env))
  for (const path of [
    ...resourceMetadataPaths,
    ...serverMetadataPaths,
    '/oauth/token',
    '/oauth/revoke',
    '/oauth/register',
  ])
    mainRouter.options(path, answerPreflight)
  mainRouter.post('/oauth/token', ({ req, env }) => answerToken(services, req.raw, env))
  mainRouter.post('/oauth/revoke', ({ req, env }) => answerRevocation(services, req.raw, env))
  mainRouter.post('/oauth/register', ({ req, env }) => answerRegistration(services, req.raw, env))
  mainRouter.post('/api/kam/auth/oidc/back-channel-logout', ({ req, env }) =>
    answerBackChannelLogout(services, req.raw, env),
  )
  mainRouter.get('/metrics', ({ req, env }) => {
    if (env) env.routePattern = '/metrics'
    return serveMetrics(services, req.raw)
  })
  mainRouter.get('/api/internal/tls-ask', ({ req, env }) => answerTlsRequest(services, req.raw, env))
  const paths = new Set(calls.map((call) => call.endpoint.path))
  mainRouter.notFound(({ req: { raw: request, path } }) => {
    if (request.method === 'OPTIONS') {
      const isKnownPath = paths.has(path) || path.startsWith('/api/')
      return new Response(null, { status: isKnownPath ? 204 : 404, headers: apiHeaders })
    }
    const isPage = (request.method === 'GET' || request.method === 'HEAD') && !path.startsWith('/api/')
    if (isPage && web && !programPaths.test(path)) return web.serve(request, path)
    const pageReload = web && redirectFormPost(request, path)
    if (pageReload) return pageReload
    return toProblemResponse(services, request, createNoSuchAddressProblem())
  })

  return {
    refuseNewRequests(reason = 'shutting-down') {
      refusal = reason
    },
    fetch(request, bindings = {}) {
      const { metrics } = services
      if (!metrics) return respond(request, bindings)
      return metrics.measureRequest(
        request.method,
        () => bindings.routePattern,
        () => respond(request, bindings),
      )
    },
  }

  function respond(request: Request, bindings: NodeBindings): Response | Promise<Response> {
    const host = isProbe(request) ? 'own' : resolveServedHost(request, bindings, services)
    if (host === null) return refuseWrongHost(services, request)
    if (refusal) {
      if (refusal === 'restoring' && web && host === 'own' && isPageRequest(request))
        return web.serve(request, new URL(request.url).pathname)
      return (
        answerWhileStopping(request, refusal) ??
        toProblemResponse(services, request, new Problem(refusal, { retryAfterSeconds: 5 }))
      )
    }
    if (request.method === 'TRACE') return new Response(null, { status: 405, headers: apiHeaders })
    if (host !== 'own') return siteRouter.fetch(request, { ...bindings, site: host })
    if (web && wantsDebugPage(request)) return web.serve(request, '/debug')
    return withRequestOrigin(services, request, () => mainRouter.fetch(request, bindings))
  }
}

function isPageRequest(request: Request): boolean {
  const { pathname } = new URL(request.url)
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  return isRead && !pathname.startsWith('/api/') && !['/health', '/ping', '/railway-status'].includes(pathname)
}

function wantsDebugPage(request: Request): boolean {
  // Runs on every request, so it searches the text before parsing the URL.
  return (
    request.url.includes('/debug') &&
    new URL(request.url).pathname === '/debug' &&
    (request.headers.get('accept') ?? '').includes('text/html')
  )
}

const pagesWithForm = ['/login', '/register']

/** Redirects a sign-in form posted before the script loaded to its page, without reading the password in its body. */
function redirectFormPost(request: Request, path: string): Response | undefined {
  if (request.method !== 'POST' || !pagesWithForm.includes(path)) return undefined
  const hasHeader = (header: string, expected: string) =>
    (request.headers.get(header) ?? '').toLowerCase().includes(expected)
  if (!hasHeader('content-type', 'application/x-www-form-urlencoded') || !hasHeader('accept', 'text/html'))
    return undefined
  const location = path + new URL(request.url).search
  return new Response(null, { status: 303, headers: { ...securityHeaders, location, 'cache-control': 'no-store' } })
}
