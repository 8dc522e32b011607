import type { IncomingMessage } from 'node:http'
import { type Context, Hono } from 'hono'
import { getRolePermissions } from '#contract/accounts/role-permissions.ts'
import type { Endpoint, EndpointMatch } from '#contract/endpoint.ts'
import type { ConnectedProgram, Person } from '#server/accounts/person.ts'
import { runAsPerson } from '#server/db/long-reads.ts'
import type { StorageEffect } from '#server/quota/person-usage.ts'
import type { Services } from '#server/services.ts'
import { getBearerToken } from './bearer-token.ts'
import { cleanConflictData, cleanResponse } from './clean-response.ts'
import { getClientAddress, isSecure, type NodeBindings } from './client-address.ts'
import { isEventStream } from './event-stream.ts'
import { FairQueue } from './fair-queue.ts'
import { refuseForeignOrigin } from './foreign-origin.ts'
import { runIdempotently } from './idempotency.ts'
import { parseInput } from './parse-input.ts'
import { badField, Problem } from './problem.ts'
import { buildProblemResponseParts, toProblemResponse } from './problem-response.ts'
import { readJsonBody, requireStorable } from './request-body.ts'
import { requireRecentProof } from './require-recent-proof.ts'
import { apiHeaders } from './security-headers.ts'
import { Reply, type ServedCall } from './serve-area.ts'
import { openUpload } from './upload.ts'
import { identifyVisitor, type Visitor } from './visitor.ts'

const defaultBodyLimit = 1024 * 1024

export type Router = Hono<{ Bindings: NodeBindings | undefined }>
type RouteContext = Context<{ Bindings: NodeBindings | undefined }>

/**
 * If several calls share a method and path, the first whose `match` applies handles the request; the call without
 * `match` is the fallback.
 */
export function createRouter(
  services: Services,
  servedCalls: ServedCall[],
  explainNoMatch = explainNoCallMatches,
): Router {
  const router: Router = new Hono()
  router.onError((thrown, { req }) => toProblemResponse(services, req.raw, thrown))
  for (const calls of Map.groupBy(servedCalls, ({ endpoint: { method, path } }) => `${method} ${path}`).values()) {
    const route = toServedRoute(services, calls)
    router.on(route.method, route.path, (context) => handleRequest(services, route, explainNoMatch, context))
  }
  return router
}

interface ServedRoute {
  method: string
  path: string
  calls: ServedCall[]
  conditions: Condition[][]
  storageEffects: StorageEffect[]
  acceptsJson: boolean
  maxBytes: number
  visitorMaxBytes: number
  maxKeys: number | undefined
}

function toServedRoute({ usage }: Services, callsOnRoute: ServedCall[]): ServedRoute {
  const unconditional = callsOnRoute.filter(({ endpoint }) => endpoint.match === undefined)
  if (unconditional.length > 1)
    throw new Error(
      `${unconditional.map((call) => call.name).join(' and ')} share one route without conditions to tell them apart`,
    )
  const calls = [...callsOnRoute.filter(({ endpoint }) => endpoint.match !== undefined), ...unconditional]
  const endpoints = calls.map(({ endpoint }) => endpoint)
  const { method, path } = endpoints[0]!
  const maxBytes = Math.max(...endpoints.map(({ maxBodyBytes }) => maxBodyBytes ?? defaultBodyLimit))
  const publicEndpoints = endpoints.filter(({ access }) => access === 'public')
  const visitorLimit = Math.max(defaultBodyLimit, ...publicEndpoints.map(({ maxBodyBytes }) => maxBodyBytes ?? 0))
  const keyLimits = endpoints.flatMap(({ maxBodyKeys }) => maxBodyKeys ?? [])
  return {
    method,
    path,
    calls,
    conditions: endpoints.map(({ match }) => parseConditions(match)),
    storageEffects: calls.map(({ area, name, endpoint }) => usage.getStorageEffect(area, name, endpoint)),
    acceptsJson: endpoints.some(({ body, match }) => body !== undefined || match?.body !== undefined),
    maxBytes,
    visitorMaxBytes: Math.min(maxBytes, visitorLimit),
    maxKeys: keyLimits.length > 0 ? Math.max(...keyLimits) : undefined,
  }
}

interface Condition {
  source: 'query' | 'body'
  name: string
  expected: string
}

function parseConditions(match: EndpointMatch | undefined): Condition[] {
  const toConditions = (source: Condition['source'], values: Record<string, string> = {}) =>
    Object.entries(values).map(([name, expected]) => ({ source, name, expected }))
  return [...toConditions('query', match?.query), ...toConditions('body', match?.body)]
}

const fairQueue = new FairQueue()

async function handleRequest(
  services: Services,
  route: ServedRoute,
  explainNoMatch: (calls: ServedCall[]) => Problem,
  context: RouteContext,
): Promise<Response> {
  const { env: bindings } = context
  const request = context.req.raw
  const requestId = services.newId()
  // Set before creating the response: changing headers later instantiates a full Headers object.
  const headers: Record<string, string> = { ...apiHeaders, 'x-request-id': requestId }
  const { path } = route
  if (bindings) bindings.routePattern = path
  let call: ServedCall | undefined
  try {
    const query = parseQuery(request)
    const token = getBearerToken(request)
    const person = token ? await services.authenticate(token) : null
    const clientAddress = getClientAddress(request, bindings, services.settings.trustedProxies)
    const waiting = fairQueue.waitToStart(person?.id ?? clientAddress)
    if (waiting) await waiting
    const maxBytes = person ? route.maxBytes : route.visitorMaxBytes
    const body = route.acceptsJson
      ? await readJsonBody(request, bindings?.incoming, { maxBytes, maxKeys: route.maxKeys })
      : {}
    const index = route.calls.findIndex((_, index) => matchesConditions(route.conditions[index]!, query, body))
    call = route.calls[index]
    if (!call) throw explainNoMatch(route.calls)
    const { endpoint, name, handler } = call
    refuseForeignOrigin(services, request, bindings?.site)
    if (person?.connection) requireScope(endpoint, person.connection)
    if (person?.isLocked && !endpoint.worksWhileLocked) throw new Problem('session-locked')
    requireAccess(endpoint.access, person)
    if (endpoint.proof === 'recent' && person) requireRecentProof(services, person)
    const params = context.req.param() as Record<string, string>
    requireStorable(params)
    const input = parseInput(endpoint, { params, query, body })
    const handle = () =>
      handler({
        person: person as Person,
        ...input,
        visitor: (): Visitor => {
          const { visitor, setCookie } = identifyVisitor(
            request.headers.get('cookie'),
            clientAddress,
            isSecure(request, services.settings),
          )
          if (setCookie) headers['set-cookie'] = setCookie
          return visitor
        },
        address: clientAddress,
        userAgent: request.headers.get('user-agent'),
        site: bindings?.site ?? null,
        ifMatch: parseIfMatch(request.headers.get('if-match')),
        requestId,
        openUpload: () => openUpload(request, endpoint, route.maxBytes),
        range: request.headers.get('range'),
        wantsStream: endpoint.canStream === true && (request.headers.get('accept') ?? '').includes('text/event-stream'),
      })
    const storageEffect = route.storageEffects[index]!
    const sentSize = person && route.acceptsJson ? measureBody(request, bindings?.incoming, body) : 0
    const mayExceedQuota =
      person !== null &&
      (storageEffect === 'addition' || storageEffect === 'edit') &&
      !services.usage.hasSpace(person.id)
    const requireSpace = ({ id }: Person) =>
      storageEffect === 'edit' && sentSize <= services.usage.maxEditWithoutSpace
        ? services.usage.requireReserve(id)
        : services.usage.requireSpace(id)
    const execute = person ? () => runAsPerson(person.id, handle) : handle
    const key = endpoint.supportsIdempotencyKey ? request.headers.get('idempotency-key') : null
    if (key !== null && person) {
      const idempotentRequest = { person, key, operation: `${endpoint.method} ${path} ${name}`, params, query, body }
      const storedResponse = await runIdempotently(services, idempotentRequest, async () => {
        // Inside runIdempotently, so that a repeated create succeeds even without space left.
        if (mayExceedQuota) await requireSpace(person)
        const result = await execute()
        if (result instanceof Response) throw new Error(`${name} creates an entity and returns a stream`)
        return serializeResult(services, endpoint, result)
      })
      recordUsage(services, person, storageEffect, sentSize)
      if (storedResponse.isRepeated) headers['idempotent-replayed'] = 'true'
      return new Response(storedResponse.body, { status: storedResponse.status, headers })
    }
    if (mayExceedQuota) await requireSpace(person)
    const result = await execute()
    if (person) recordUsage(services, person, storageEffect, sentSize)
    if (result instanceof Response) {
      // No one reads the stream of a HEAD response, so it would never end.
      if (request.method === 'HEAD') await result.body?.cancel()
      else if (isEventStream(result)) bindings?.onStreamStart?.()
      // An HTTP/1.0 client reads until the connection closes, and would take the sizes of chunks for text.
      if (bindings?.incoming?.httpVersion === '1.0') result.headers.delete('transfer-encoding')
      return addMissingHeaders(result, headers)
    }
    if (result instanceof Reply) Object.assign(headers, result.options.headers)
    const { status, body: text } = serializeResult(services, endpoint, result)
    return new Response(text, { status, headers })
  } catch (thrown) {
    const problem = buildProblemResponseParts(thrown, { path, requestId, log: services.log })
    Object.assign(headers, problem.headers)
    if (call && problem.body.data) problem.body.data = cleanConflictData(call.endpoint, problem.body.data)
    return new Response(JSON.stringify(problem.body), { status: problem.status, headers })
  }
}

function measureBody(request: Request, incoming: IncomingMessage | undefined, body: unknown): number {
  const declared = incoming ? incoming.headers['content-length'] : request.headers.get('content-length')
  return Number(declared ?? JSON.stringify(body).length)
}

function recordUsage({ usage }: Services, person: Person, storageEffect: StorageEffect, sentSize: number): void {
  if (storageEffect === 'deletion') usage.recordDeletion(person.id)
  else if (storageEffect !== 'nothing') usage.add(person.id, sentSize)
}

function serializeResult(services: Services, endpoint: Endpoint, result: unknown): { status: number; body: string } {
  const reply = result instanceof Reply ? result : new Reply(result === undefined ? {} : result)
  if (services.settings.checkAnswers) endpoint.response.parse(reply.data)
  const data = cleanResponse(endpoint, reply.data)
  const envelope = endpoint.responseFormat === 'bare' ? data : { success: true, data, ...reply.options.extra }
  return { status: reply.options.status ?? 200, body: JSON.stringify(envelope) }
}

function parseQuery(request: Request): Record<string, string> {
  const start = request.url.indexOf('?')
  if (start === -1) return {}
  const query: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(request.url.slice(start + 1))) {
    if (name === '') continue
    if (Object.hasOwn(query, name))
      throw new Problem('bad-input', { message: `Send "${name}" once.`, fields: { [name]: 'Send it once.' } })
    query[name] = value
  }
  requireStorable(query)
  return query
}

function explainNoCallMatches(calls: ServedCall[]): Problem {
  const message = 'No endpoint at this address accepts these values.'
  const names = calls.flatMap(({ endpoint: { match } }) => Object.keys({ ...match?.query, ...match?.body }))
  return new Problem('bad-input', { message, fields: Object.fromEntries(names.map((name) => [name, message])) })
}

function matchesConditions(conditions: readonly Condition[], query: Record<string, string>, body: unknown): boolean {
  return conditions.every(({ source, name, expected }) => {
    const values = source === 'query' ? query : body
    if (typeof values !== 'object' || values === null || !Object.hasOwn(values, name)) return false
    return expected === '*' || (values as Record<string, unknown>)[name] === expected
  })
}

function requireAccess(access: ServedCall['endpoint']['access'], person: Person | null): void {
  if (access === 'public') return
  if (!person) throw new Problem('not-signed-in')
  if (
    typeof access === 'object' &&
    person.secondFactorMissing &&
    getRolePermissions(person.roles).has(access.permission)
  )
    throw new Problem('second-factor-required')
  if (typeof access === 'object' && !person.permissions.has(access.permission)) {
    throw new Problem('permission-missing', {
      message: `You need the permission "${access.permission}" for this. Ask a super-admin for a role that has it.`,
    })
  }
}

/** Tokens of apps that signed in are for the MCP address only. */
function requireScope({ scope }: Endpoint, { scopes, resource }: ConnectedProgram): void {
  if (scope && resource === null && scopes.includes(scope)) return
  throw new Problem('scope-missing', {
    message: scope
      ? `This access token needs the scope "${scope}" for this.`
      : 'Access tokens can’t make this call. Sign in instead.',
  })
}

/** Parses `3` or `"3"`; `*` means any. @throws Problem 400 for anything else, so that nothing is overwritten by accident */
function parseIfMatch(ifMatch: string | null): number | null {
  const header = ifMatch?.trim()
  if (header === undefined || header === '*') return null
  const digits = /^(?:(\d+)|"(\d+)")$/.exec(header)
  if (!digits) throw badField('if-match', 'Send the revision you have in If-Match, as a whole number.')
  return Math.min(Number(digits[1] ?? digits[2]), 2 ** 31 - 1)
}

function addMissingHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers))
    if (!response.headers.has(name)) response.headers.set(name, value)
  return response
}
