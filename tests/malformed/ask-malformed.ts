import type { AddressBookEntry } from '#contract/index.ts'
import { apiHeaders } from '#server/http/security-headers.ts'
import { cast } from '../cast.ts'
import { permissionTable } from '../permission-matrix-table.ts'
import type { ActorKind, World } from '../permission-matrix-world.ts'
import { canaryKeys, canaryPlatformKeys } from '../provider-app.ts'
import { type MalformedRequest, malformedRequests } from './malformed-requests.ts'

export const nameOf = ({ area, name }: AddressBookEntry) => `${area}.${name}`

type Fetch = (path: string, init: RequestInit) => Response | Promise<Response>

export interface Finding {
  call: string
  seed: number
  actor: ActorKind
  wrong: string
  request: MalformedRequest
  answer: string
}
export interface Pass {
  asked: number
  /** Number of responses by status. */
  statuses: Record<number, number>
  milliseconds: number[]
  findings: Finding[]
}

/** Requests per fresh valid request; a seed reproduces its whole group. */
const group = 40
const patienceMs = 10_000
const actors: ActorKind[] = ['owner', 'owner', 'owner', 'owner', 'owner', 'owner', 'stranger', 'super-admin', 'visitor']
const secrets = [
  ...Object.values(cast).map(({ password }) => password),
  ...Object.values(canaryKeys),
  ...Object.values(canaryPlatformKeys),
]

/** Sends `times` malformed requests to a call, mostly as its owner, and records wrong responses. */
export async function askMalformed(
  world: World,
  call: AddressBookEntry,
  { times, seed, fetch = world.app.fetch }: { times: number; seed: number; fetch?: Fetch },
): Promise<Pass> {
  const line = permissionTable[nameOf(call)]
  if (!line) throw new Error(`${nameOf(call)} has no entry in tests/permission-matrix-table.ts`)
  const pass: Pass = { asked: 0, statuses: {}, milliseconds: [], findings: [] }
  const { db } = world.app.services
  for (let first = 0; first < times; first += group) {
    const groupSeed = seed + first
    const valid = await line.sample(world)
    const othersIds = [world.adaId, world.idOf('super-admin') ?? '', ...Object.values(valid.params ?? {})]
    const count = Math.min(group, times - first)
    const requests = malformedRequests(call.endpoint, valid, { times: count, seed: groupSeed, othersIds })
    await db.deleteFrom('throttle_windows').execute()
    // With a key, a run would call a provider and fail for reasons of its own.
    if (call.area !== 'keys') await db.deleteFrom('provider_keys').execute()
    const tokens = new Map<ActorKind, string | null>()
    for (const [index, request] of requests.entries()) {
      const actor = actors[(index + first) % actors.length] ?? 'owner'
      if (!tokens.has(actor)) tokens.set(actor, await world.tokenOf(actor))
      const token = tokens.get(actor) ?? null
      const began = performance.now()
      const answered = await Promise.race([answerOf(fetch, request, token), late()])
      if (!answered) {
        const wrong = `answers nothing within ${patienceMs} ms`
        pass.findings.push({ call: nameOf(call), seed: groupSeed, actor, wrong, request, answer: '' })
        continue
      }
      const { response, answer } = answered
      pass.milliseconds.push(performance.now() - began)
      pass.asked++
      pass.statuses[response.status] = (pass.statuses[response.status] ?? 0) + 1
      // Signing out is one of the calls.
      if (response.status === 401) tokens.delete(actor)
      for (const wrong of wrongIn(request, response, answer, token))
        pass.findings.push({ call: nameOf(call), seed: groupSeed, actor, wrong, request, answer: answer.slice(0, 400) })
    }
  }
  return pass
}

async function answerOf(fetch: Fetch, request: MalformedRequest, token: string | null) {
  const response = await fetch(request.path, initOf(request, token))
  return { response, answer: await textOf(response) }
}

function late(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(() => resolve(undefined), patienceMs).unref())
}

function initOf({ method, headers, body }: MalformedRequest, token: string | null): RequestInit {
  return {
    method,
    headers: { ...(token && { authorization: `Bearer ${token}` }), ...headers },
    ...(body !== undefined && { body }),
  }
}

/** Cancels the endless event stream and the long export. */
async function textOf(response: Response): Promise<string> {
  if (!/^(text\/event-stream|application\/zip)/.test(response.headers.get('content-type') ?? '')) return response.text()
  await response.body?.cancel()
  return ''
}

const alwaysSent = Object.entries(apiHeaders).filter(([name]) => !['content-type', 'cache-control'].includes(name))

function wrongIn(request: MalformedRequest, response: Response, answer: string, token: string | null): string[] {
  const wrong: string[] = []
  const { status, headers } = response
  if (status >= 500) wrong.push(`answers ${status}`)
  for (const [name, value] of alwaysSent) if (headers.get(name) !== value) wrong.push(`lacks the header ${name}`)
  if (request.path.startsWith('/api/') && !/no-(store|cache)|private/.test(headers.get('cache-control') ?? ''))
    wrong.push(`may be cached: ${headers.get('cache-control')}`)
  if (({} as { polluted?: unknown }).polluted !== undefined) wrong.push('polluted Object.prototype')
  if (status < 400 || request.method === 'HEAD') return wrong
  for (const secret of [...secrets, ...(token ? [token] : [])])
    if (answer.includes(secret)) wrong.push('repeats a secret')
  const problem = parsed(answer)
  if (problem?.success !== false || !problem.code || !problem.error || !problem.requestId)
    return [...wrong, `answers ${status} without a problem`]
  if (status === 400) wrong.push(...unnamedIn(problem))
  return wrong
}

interface SaidProblem {
  success?: boolean
  code?: string
  error?: unknown
  requestId?: string
  fields?: Record<string, unknown>
}

function parsed(answer: string): SaidProblem | undefined {
  try {
    return JSON.parse(answer)
  } catch {
    return undefined
  }
}

function unnamedIn({ fields }: SaidProblem): string[] {
  const named = Object.entries(fields ?? {})
  if (named.length === 0) return ['answers 400 and names no field']
  return named.flatMap(([name, text]) =>
    name !== '' && typeof text === 'string' && text.trim() !== '' ? [] : [`says nothing of the field "${name}"`],
  )
}

/** A report with everything needed to reproduce the finding. */
export function inWords({ call, seed, actor, wrong, request, answer }: Finding): string {
  const { deeds, method, path, headers, body } = request
  const sent = body instanceof Uint8Array ? `bytes ${Buffer.from(body).toString('base64').slice(0, 300)}` : body
  return [
    `${call} ${wrong} (seed ${seed}, as ${actor}, after: ${deeds.join(', ')})`,
    `  ${method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)}`,
    `  ${(sent ?? 'no body').slice(0, 600)}`,
    `  answered: ${answer}`,
  ].join('\n')
}
