import type { EndpointEntry } from '#contract/index.ts'
import {
  getMaxItems,
  getMaxKeys,
  listItem,
  mapKey,
  mapValue,
  type SchemaNode,
  type Step,
  walkSchema,
} from '../contract-bounds.ts'
import { getCallName } from '../permission-matrix-cells.ts'
import { permissionTable } from '../permission-matrix-table.ts'
import type { PermissionWorld } from '../permission-matrix-world.ts'
import { toRequest } from '../test-app.ts'

/** Limits for the response to one body filled up to its call's limit. */
export const maxCpuMs = 250
/** Parsing cost per MB beyond the first 8 MB. */
const cpuMsPerMb = 5
export const maxAnswerBytes = 64 * 1024
const defaultBodyLimit = 1024 * 1024
/** Maximum list items and keys of a body (docs/decisions/0025). */
const defaultBodyValues = 50_000
const maxAttempts = 3
/** Leaves room for the remaining values of a valid body. */
const otherBodyValues = 500

const listFillings = ['{}', '0', '""', '[]', '[{}]', `"${'x'.repeat(2000)}"`, `{"${'k'.repeat(300)}":0}`]
const mapFillings = ['{}', '0', '""', '[]']

type Fetch = (path: string, init: RequestInit) => Response | Promise<Response>

export interface LimitsPass {
  requestCount: number
  /** Lists and maps that were filled. */
  targetCount: number
  slowestMs: number
  refusalBytes: number
  findings: string[]
}

/**
 * Fills every list and map of a call up to its own limit, the body's value limit and its byte limit. `limitBytes`
 * caps the body; `maxFillings` caps the kinds of values tried.
 */
export async function sendBodiesAtLimits(
  world: PermissionWorld,
  call: EndpointEntry,
  {
    fetch = world.app.fetch,
    limitBytes,
    maxFillings,
  }: { fetch?: Fetch; limitBytes?: number; maxFillings?: number } = {},
): Promise<LimitsPass> {
  const { endpoint } = call
  const pass: LimitsPass = { requestCount: 0, targetCount: 0, slowestMs: 0, refusalBytes: 0, findings: [] }
  if (!endpoint.body) return pass
  const line = permissionTable[getCallName(call)]
  if (!line) throw new Error(`${getCallName(call)} has no entry in tests/permission-matrix-table.ts`)
  const valid = await line.sample(world)
  const token = await world.createToken('owner')
  const { path, init } = toRequest(endpoint, { ...valid, bytes: undefined })
  const headers = { ...init.headers, ...(token && { authorization: `Bearer ${token}` }) }
  const maxBytes = Math.min(limitBytes ?? Number.POSITIVE_INFINITY, endpoint.maxBodyBytes ?? defaultBodyLimit)
  const { db } = world.app.services
  const getMaxCpuMs = (body: Uint8Array) => maxCpuMs + cpuMsPerMb * Math.max(0, body.length / 1e6 - 8)
  for (const target of listFillTargets(endpoint.body)) {
    pass.targetCount++
    for (const { label, text } of generateFillings(target, {
      maxBytes,
      maxValues: Math.max(defaultBodyValues, endpoint.maxBodyKeys ?? 0),
      maxFillings,
    })) {
      const body = Buffer.from(createBodyWith({ ...endpoint.match?.body, ...valid.body }, target.path, text))
      if (body.length > maxBytes) continue
      let ms = Number.POSITIVE_INFINITY
      let answer = ''
      let status = 0
      // A pause of the machine or a garbage collection may cause one slow answer.
      for (let attempt = 0; attempt < maxAttempts && ms > getMaxCpuMs(body) && status < 500; attempt++) {
        await db.deleteFrom('throttle_windows').execute()
        const cpuStart = process.cpuUsage()
        const response = await fetch(path, {
          method: endpoint.method,
          headers,
          body: toByteStream(body),
          duplex: 'half',
        } as RequestInit)
        answer = await readText(response)
        const { user, system } = process.cpuUsage(cpuStart)
        ms = Math.min(ms, (user + system) / 1000)
        status = response.status
      }
      pass.requestCount++
      pass.slowestMs = Math.max(pass.slowestMs, ms)
      const isRefusal = status >= 400
      if (isRefusal) pass.refusalBytes = Math.max(pass.refusalBytes, Buffer.byteLength(answer))
      const problems = [
        status >= 500 && `answers ${status}`,
        ms > getMaxCpuMs(body) && `takes ${ms.toFixed(0)} ms of CPU`,
        isRefusal && Buffer.byteLength(answer) > maxAnswerBytes && `answers ${Buffer.byteLength(answer)} bytes`,
      ].filter((message) => message !== false)
      if (problems.length > 0)
        pass.findings.push(
          `${getCallName(call)} ${target.path.join('.') || 'body'}, ${label}, ${body.length} bytes: ${problems.join(', ')}`,
        )
    }
  }
  return pass
}

interface FillTarget {
  path: Step[]
  kind: 'list' | 'map'
  max: number | undefined
}

/** The body itself and every list and map in it; an object with a catchall is a map too. */
function listFillTargets(body: NonNullable<EndpointEntry['endpoint']['body']>): FillTarget[] {
  const bodyTargets: FillTarget[] = [
    { path: [], kind: 'list', max: undefined },
    { path: [], kind: 'map', max: undefined },
  ]
  return [...bodyTargets, ...[...walkSchema(body)].flatMap((node) => toFillTarget(node) ?? [])]
}

function toFillTarget({ path, schema }: SchemaNode): FillTarget | undefined {
  if (path.includes(mapKey)) return undefined
  const { def } = schema._zod
  if (def.type === 'array') return { path, kind: 'list', max: getMaxItems(schema) }
  if (def.type === 'record') return { path, kind: 'map', max: getMaxKeys(schema) }
  return def.type === 'unknown' && path.at(-1) === mapValue
    ? { path: path.slice(0, -1), kind: 'map', max: undefined }
    : undefined
}

interface FillLimits {
  maxBytes: number
  maxValues: number
  maxFillings: number | undefined
}

function* generateFillings(
  { kind, max }: FillTarget,
  { maxBytes, maxValues, maxFillings }: FillLimits,
): Generator<{ label: string; text: string }> {
  for (const value of (kind === 'list' ? listFillings : mapFillings).slice(0, maxFillings)) {
    const maxForBytes = Math.floor((maxBytes * 0.98) / (value.length + (kind === 'list' ? 1 : 10)))
    const maxForValues = maxValues - otherBodyValues
    const counts = [max ?? maxForValues, maxForValues, maxForBytes].map((count) => Math.min(count, maxForBytes))
    for (const count of new Set(counts)) {
      const label = `${count.toLocaleString('en-US')} of ${value.slice(0, 20)}`
      yield { label, text: kind === 'list' ? fillList(value, count) : fillMap(value, count) }
    }
  }
}

const fillList = (value: string, count: number) => `[${`${value},`.repeat(count).slice(0, -1)}]`
const fillMap = (value: string, count: number) =>
  `{${Array.from({ length: count }, (_, index) => `"${index.toString(36)}":${value}`).join(',')}}`

/** The JSON of a valid body with `text` at one path; missing parents are created. */
function createBodyWith(valid: object, path: readonly Step[], text: string): string {
  const placeholder = 'replaced by the filled value'
  const set = (value: unknown, [step, ...remainingSteps]: readonly Step[]): unknown => {
    if (step === undefined) return placeholder
    if (step === listItem) return [set(Array.isArray(value) ? value[0] : undefined, remainingSteps)]
    const existing = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
    const name = step === mapValue ? (Object.keys(existing)[0] ?? 'k') : step
    return { ...existing, [name]: set((existing as Record<string, unknown>)[name], remainingSteps) }
  }
  return JSON.stringify(set(valid, path)).replace(JSON.stringify(placeholder), () => text)
}

function toByteStream(body: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(body)
      controller.close()
    },
  })
}

async function readText(response: Response): Promise<string> {
  if (!(response.headers.get('content-type') ?? '').startsWith('text/event-stream')) return response.text()
  await response.body?.cancel()
  return ''
}
