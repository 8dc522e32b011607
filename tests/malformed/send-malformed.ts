import type { EndpointEntry } from '#contract/index.ts'
import { apiHeaders } from '#server/http/security-headers.ts'
import { cast } from '../cast.ts'
import { getCallName } from '../permission-matrix-cells.ts'
import { permissionTable } from '../permission-matrix-table.ts'
import type { ActorKind, PermissionWorld } from '../permission-matrix-world.ts'
import { canaryKeys, canaryPlatformKeys } from '../provider-app.ts'
import { createMalformedRequests, type MalformedRequest } from './malformed-requests.ts'

type Fetch = (path: string, init: RequestInit) => Response | Promise<Response>

export interface MalformedFinding {
  call: string
  seed: number
  actor: ActorKind
  problem: string
  request: MalformedRequest
  answer: string
}
export interface MalformedPass {
  requestCount: number
  /** Number of responses by status. */
  statuses: Record<number, number>
  milliseconds: number[]
  findings: MalformedFinding[]
}

/** Requests per fresh valid request; a seed reproduces its whole group. */
const groupSize = 40
const answerTimeoutMs = 10_000
const actors: ActorKind[] = ['owner', 'owner', 'owner', 'owner', 'owner', 'owner', 'stranger', 'super-admin', 'visitor']
const secrets = [
  ...Object.values(cast).map(({ password }) => password),
  ...Object.values(canaryKeys),
  ...Object.values(canaryPlatformKeys),
]

/** Sends `times` malformed requests to a call, mostly as its owner, and records wrong responses. */
export async function sendMalformedRequests(
  world: PermissionWorld,
  call: EndpointEntry,
  { times, seed, fetch = world.app.fetch }: { times: number; seed: number; fetch?: Fetch },
): Promise<MalformedPass> {
  const line = permissionTable[getCallName(call)]
  if (!line) throw new Error(`${getCallName(call)} has no entry in tests/permission-matrix-table.ts`)
  const pass: MalformedPass = { requestCount: 0, statuses: {}, milliseconds: [], findings: [] }
  const { db } = world.app.services
  for (let first = 0; first < times; first += groupSize) {
    const groupSeed = seed + first
    const valid = await line.sample(world)
    const foreignIds = [world.adaId, world.getActorId('super-admin') ?? '', ...Object.values(valid.params ?? {})]
    const count = Math.min(groupSize, times - first)
    const requests = createMalformedRequests(call.endpoint, valid, { times: count, seed: groupSeed, foreignIds })
    await db.deleteFrom('throttle_windows').execute()
    // With a key, a run would call a provider and fail for other reasons.
    if (call.area !== 'keys') await db.deleteFrom('provider_keys').execute()
    const tokens = new Map<ActorKind, string | null>()
    for (const [index, request] of requests.entries()) {
      const actor = actors[(index + first) % actors.length] ?? 'owner'
      if (!tokens.has(actor)) tokens.set(actor, await world.createToken(actor))
      const token = tokens.get(actor) ?? null
      const startedAt = performance.now()
      const exchange = await Promise.race([sendRequest(fetch, request, token), waitForTimeout()])
      if (!exchange) {
        const problem = `answers nothing within ${answerTimeoutMs} ms`
        pass.findings.push({ call: getCallName(call), seed: groupSeed, actor, problem, request, answer: '' })
        continue
      }
      const { response, answer } = exchange
      pass.milliseconds.push(performance.now() - startedAt)
      pass.requestCount++
      pass.statuses[response.status] = (pass.statuses[response.status] ?? 0) + 1
      // Signing out is one of the calls.
      if (response.status === 401) tokens.delete(actor)
      for (const problem of findProblems(request, response, answer, token))
        pass.findings.push({
          call: getCallName(call),
          seed: groupSeed,
          actor,
          problem,
          request,
          answer: answer.slice(0, 400),
        })
    }
  }
  return pass
}

async function sendRequest(fetch: Fetch, request: MalformedRequest, token: string | null) {
  const response = await fetch(request.path, toRequestInit(request, token))
  return { response, answer: await readText(response) }
}

function waitForTimeout(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), answerTimeoutMs).unref())
}

function toRequestInit({ method, headers, body }: MalformedRequest, token: string | null): RequestInit {
  return {
    method,
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
    ...(body !== undefined && { body }),
  }
}

/** Cancels the endless event stream and the long export. */
async function readText(response: Response): Promise<string> {
  if (!/^(text\/event-stream|application\/zip)/.test(response.headers.get('content-type') ?? '')) return response.text()
  await response.body?.cancel()
  return ''
}

const requiredHeaders = Object.entries(apiHeaders).filter(([name]) => !['content-type', 'cache-control'].includes(name))

function findProblems(request: MalformedRequest, response: Response, answer: string, token: string | null): string[] {
  const problems: string[] = []
  const { status, headers } = response
  if (status >= 500) problems.push(`answers ${status}`)
  for (const [name, value] of requiredHeaders)
    if (headers.get(name) !== value) problems.push(`lacks the header ${name}`)
  if (request.path.startsWith('/api/') && !/no-(store|cache)|private/.test(headers.get('cache-control') ?? ''))
    problems.push(`may be cached: ${headers.get('cache-control')}`)
  if (({} as { polluted?: unknown }).polluted !== undefined) problems.push('polluted Object.prototype')
  if (status < 400 || request.method === 'HEAD') return problems
  for (const secret of [...secrets, ...(token ? [token] : [])])
    if (answer.includes(secret)) problems.push('repeats a secret')
  const problem = parseProblem(answer)
  if (problem?.success !== false || !problem.code || !problem.error || !problem.requestId)
    return [...problems, `answers ${status} without a problem`]
  if (status === 400) problems.push(...findUnnamedFields(problem))
  return problems
}

interface ProblemBody {
  success?: boolean
  code?: string
  error?: unknown
  requestId?: string
  fields?: Record<string, unknown>
}

function parseProblem(answer: string): ProblemBody | undefined {
  try {
    return JSON.parse(answer)
  } catch {
    return undefined
  }
}

function findUnnamedFields({ fields }: ProblemBody): string[] {
  const fieldErrors = Object.entries(fields ?? {})
  if (fieldErrors.length === 0) return ['answers 400 and names no field']
  return fieldErrors.flatMap(([name, text]) =>
    name !== '' && typeof text === 'string' && text.trim() !== '' ? [] : [`says nothing about the field "${name}"`],
  )
}

/** A report with everything needed to reproduce the finding. */
export function formatFinding({ call, seed, actor, problem, request, answer }: MalformedFinding): string {
  const { mutations, method, path, headers, body } = request
  const bodyText = body instanceof Uint8Array ? `bytes ${Buffer.from(body).toString('base64').slice(0, 300)}` : body
  return [
    `${call} ${problem} (seed ${seed}, as ${actor}, after: ${mutations.join(', ')})`,
    `  ${method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)}`,
    `  ${(bodyText ?? 'no body').slice(0, 600)}`,
    `  answered: ${answer}`,
  ].join('\n')
}
