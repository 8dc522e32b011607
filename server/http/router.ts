import type { IncomingMessage } from 'node:http'
import type { Endpoint, When } from '#contract/endpoint.ts'
import { authenticate } from '#server/accounts/authenticate.ts'
import type { Person } from '#server/accounts/person.ts'
import { asPerson } from '#server/db/long-reads.ts'
import { maxEditWithoutSpace, type Storing, storingOf } from '#server/quota/what-calls-store.ts'
import type { Services } from '#server/services.ts'
import { Addresses, type Asked } from './addresses.ts'
import { answerOnce } from './answer-once.ts'
import { cleanAnswer, cleanConflict } from './clean-answer.ts'
import { clientAddress, isSecure } from './client-address.ts'
import { isEventStream } from './event-stream.ts'
import { FairQueue } from './fair-queue.ts'
import { parseInput } from './parse-input.ts'
import { badField, Problem } from './problem.ts'
import { answerProblem, problemResponse } from './problem-answer.ts'
import { assertKeepable, readJsonBody } from './request-body.ts'
import { apiHeaders } from './security-headers.ts'
import { Reply, type ServedCall } from './serve-area.ts'
import { uploadOf } from './upload.ts'
import { type Visitor, visitorOf } from './visitor.ts'

const defaultBodyLimit = 1024 * 1024

/** Among calls with one address the first matching `when` wins, in contract order; the one without is last. */
export function createRouter(services: Services, served: ServedCall[], noneFits = nothingAnswers): Addresses {
  const addresses = new Addresses((thrown, request) => problemResponse(services, request, thrown))
  for (const calls of Map.groupBy(served, ({ endpoint: { method, path } }) => `${method} ${path}`).values()) {
    const place = placeOf(calls)
    addresses.onCall(place.method, place.path, (asked) => answer(services, place, noneFits, asked))
  }
  return addresses
}

/** A method and path with their calls, the unconditional one last. */
interface Place {
  method: string
  path: string
  calls: ServedCall[]
  conditions: Condition[][]
  storing: Storing[]
  takesJson: boolean
  limitBytes: number
  /** Body limit for anonymous callers. */
  limitBytesForVisitors: number
  limitKeys: number | undefined
}

function placeOf(sharing: ServedCall[]): Place {
  const plain = sharing.filter(({ endpoint }) => endpoint.when === undefined)
  if (plain.length > 1)
    throw new Error(
      `${plain.map((call) => call.name).join(' and ')} share one address without conditions to tell them apart`,
    )
  const calls = [...sharing.filter(({ endpoint }) => endpoint.when !== undefined), ...plain]
  const endpoints = calls.map(({ endpoint }) => endpoint)
  const { method, path } = endpoints[0]!
  const limitBytes = Math.max(...endpoints.map(({ bodyLimit }) => bodyLimit ?? defaultBodyLimit))
  const openToVisitors = endpoints.filter(({ access }) => access === 'public')
  const limitForVisitors = Math.max(defaultBodyLimit, ...openToVisitors.map(({ bodyLimit }) => bodyLimit ?? 0))
  const limitsOfKeys = endpoints.flatMap(({ bodyKeys }) => bodyKeys ?? [])
  return {
    method,
    path,
    calls,
    conditions: endpoints.map(({ when }) => conditionsOf(when)),
    storing: calls.map(({ area, name, endpoint }) => storingOf(area, name, endpoint)),
    takesJson: endpoints.some(({ body, when }) => body !== undefined || when?.body !== undefined),
    limitBytes,
    limitBytesForVisitors: Math.min(limitBytes, limitForVisitors),
    limitKeys: limitsOfKeys.length > 0 ? Math.max(...limitsOfKeys) : undefined,
  }
}

interface Condition {
  place: 'query' | 'body'
  name: string
  /** `*` matches any value. */
  wanted: string
}

function conditionsOf(when: When | undefined): Condition[] {
  const of = (place: Condition['place'], values: Record<string, string> = {}) =>
    Object.entries(values).map(([name, wanted]) => ({ place, name, wanted }))
  return [...of('query', when?.query), ...of('body', when?.body)]
}

const turns = new FairQueue()

/** Never rejects: errors become responses. */
async function answer(
  services: Services,
  place: Place,
  noneFits: (calls: ServedCall[]) => Problem,
  { request, params, bindings }: Asked,
): Promise<Response> {
  const requestId = services.newId()
  // Set before creating the response: changing headers later instantiates a full Headers object.
  const headers: Record<string, string> = { ...apiHeaders, 'x-request-id': requestId }
  const { path } = place
  let call: ServedCall | undefined
  try {
    const query = queryOf(request)
    const token = bearerToken(request)
    const person = token ? await authenticate(services, token) : null
    const address = clientAddress(request, bindings, services.settings.trustedProxies)
    const turn = turns.turnOf(person?.id ?? address)
    if (turn) await turn
    const limitBytes = person ? place.limitBytes : place.limitBytesForVisitors
    const body = place.takesJson
      ? await readJsonBody(request, bindings?.incoming, { limitBytes, limitKeys: place.limitKeys })
      : {}
    const index = place.calls.findIndex((_, index) => fits(place.conditions[index]!, query, body))
    call = place.calls[index]
    if (!call) throw noneFits(place.calls)
    const { endpoint, name, handler } = call
    refuseForeignOrigin(request)
    admit(endpoint.access, person)
    assertKeepable(params)
    const input = parseInput(endpoint, { params, query, body })
    const handle = () =>
      handler({
        person: person as Person,
        ...input,
        visitor: (): Visitor => {
          const { visitor, setCookie } = visitorOf(
            request.headers.get('cookie'),
            address,
            isSecure(request, services.settings),
          )
          if (setCookie) headers['set-cookie'] = setCookie
          return visitor
        },
        address,
        userAgent: request.headers.get('user-agent'),
        site: bindings?.site ?? null,
        ifMatch: revisionIn(request.headers.get('if-match')),
        requestId,
        bytes: () => uploadOf(request, endpoint, place.limitBytes),
        range: request.headers.get('range'),
        wantsStream: endpoint.streams === true && (request.headers.get('accept') ?? '').includes('text/event-stream'),
      })
    const storing = place.storing[index]!
    const sent = person && place.takesJson ? sentBytes(request, bindings?.incoming, body) : 0
    const needsSpace =
      person !== null && (storing === 'addition' || storing === 'edit') && !services.usage.hasSpace(person.id)
    const requireSpace = ({ id }: Person) =>
      storing === 'edit' && sent <= maxEditWithoutSpace
        ? services.usage.requireReserve(id)
        : services.usage.requireSpace(id)
    const carryOut = person ? () => asPerson(person.id, handle) : handle
    const key = endpoint.creates ? request.headers.get('idempotency-key') : null
    if (key !== null && person) {
      const create = { person, key, address: `${endpoint.method} ${path} ${name}`, params, query, body }
      const once = await answerOnce(services, create, async () => {
        // Inside answerOnce, so that a repeated create succeeds even without space left.
        if (needsSpace) await requireSpace(person)
        const result = await carryOut()
        if (result instanceof Response) throw new Error(`${name} creates an entity and returns a stream`)
        return written(services, endpoint, result)
      })
      noteStored(services, person, storing, sent)
      if (once.again) headers['idempotent-replayed'] = 'true'
      return new Response(once.body, { status: once.status, headers })
    }
    if (needsSpace) await requireSpace(person)
    const result = await carryOut()
    if (person) noteStored(services, person, storing, sent)
    if (result instanceof Response) {
      // No one reads the stream of a HEAD response, so it would never end.
      if (request.method === 'HEAD') await result.body?.cancel()
      else if (isEventStream(result)) bindings?.streamBegins?.()
      return withHeaders(result, headers)
    }
    if (result instanceof Reply) Object.assign(headers, result.more.headers)
    const { status, body: text } = written(services, endpoint, result)
    return new Response(text, { status, headers })
  } catch (thrown) {
    const problem = answerProblem(thrown, { path, requestId, log: services.log })
    Object.assign(headers, problem.headers)
    if (call && problem.body.data) problem.body.data = cleanConflict(call.endpoint, problem.body.data)
    return new Response(JSON.stringify(problem.body), { status: problem.status, headers })
  }
}

/** Declared length, or the JSON length of a chunked body. */
function sentBytes(request: Request, incoming: IncomingMessage | undefined, body: unknown): number {
  const declared = incoming ? incoming.headers['content-length'] : request.headers.get('content-length')
  return Number(declared ?? JSON.stringify(body).length)
}

function noteStored({ usage }: Services, person: Person, storing: Storing, sent: number): void {
  if (storing === 'deletion') usage.noteDeletion(person.id)
  else if (storing !== 'nothing') usage.add(person.id, sent)
}

function written(services: Services, endpoint: Endpoint, result: unknown): { status: number; body: string } {
  const reply = result instanceof Reply ? result : new Reply(result)
  if (services.settings.checkAnswers) endpoint.returns.parse(reply.data)
  const data = cleanAnswer(endpoint, reply.data)
  const whole = endpoint.answer === 'bare' ? data : { success: true, data, ...reply.more.extra }
  return { status: reply.more.status ?? 200, body: JSON.stringify(whole) }
}

function queryOf(request: Request): Record<string, string> {
  const start = request.url.indexOf('?')
  if (start === -1) return {}
  const query: Record<string, string> = {}
  for (const [name, value] of new URLSearchParams(request.url.slice(start + 1))) {
    // `?=x` has no name that an error could mention.
    if (name === '') continue
    if (Object.hasOwn(query, name))
      throw new Problem('bad-input', { message: `Send "${name}" once.`, fields: { [name]: 'Send it once.' } })
    query[name] = value
  }
  assertKeepable(query)
  return query
}

function nothingAnswers(calls: ServedCall[]): Problem {
  const message = 'No call at this address accepts these values.'
  const names = calls.flatMap(({ endpoint: { when } }) => Object.keys({ ...when?.query, ...when?.body }))
  return new Problem('bad-input', { message, fields: Object.fromEntries(names.map((name) => [name, message])) })
}

function fits(conditions: readonly Condition[], query: Record<string, string>, body: unknown): boolean {
  return conditions.every(({ place, name, wanted }) => {
    const values = place === 'query' ? query : body
    if (typeof values !== 'object' || values === null || !Object.hasOwn(values, name)) return false
    return wanted === '*' || (values as Record<string, unknown>)[name] === wanted
  })
}

function bearerToken(request: Request): string | null {
  const authorization = request.headers.get('authorization')
  return authorization?.startsWith('Bearer ') ? authorization.slice(7).trim() || null : null
}

function admit(access: ServedCall['endpoint']['access'], person: Person | null): void {
  if (access === 'public') return
  if (!person) throw new Problem('not-signed-in')
  if (typeof access === 'object' && !person.permissions.has(access.permission)) {
    throw new Problem('permission-missing', {
      message: `This needs the permission "${access.permission}". Ask a super-admin for a role that has it.`,
    })
  }
}

/** Parses `3` or `"3"`; `*` means any. @throws Problem 400 for anything else, so that nothing is overwritten by accident */
function revisionIn(ifMatch: string | null): number | null {
  const said = ifMatch?.trim()
  if (said === undefined || said === '*') return null
  const digits = /^(?:(\d+)|"(\d+)")$/.exec(said)
  if (!digits) throw badField('if-match', 'Send the revision you know in If-Match as a whole number.')
  return Math.min(Number(digits[1] ?? digits[2]), 2 ** 31 - 1)
}

/** Browsers send Origin on every cross-site write; the visitor cookie must not act for another site. */
function refuseForeignOrigin(request: Request): void {
  if (request.method === 'GET') return
  const origin = request.headers.get('origin')
  if (!origin) return
  const host = request.headers.get('host')
  if (origin === 'null' || (host !== null && URL.parse(origin)?.host !== host)) {
    throw new Problem('forbidden', { message: 'This request came from another site.' })
  }
}

function withHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers))
    if (!response.headers.has(name)) response.headers.set(name, value)
  return response
}
