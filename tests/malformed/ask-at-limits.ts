import type { AddressBookEntry } from '#contract/index.ts'
import {
  listItem,
  mapKey,
  mapValue,
  maxItems,
  maxKeys,
  type SchemaNode,
  type Step,
  walkSchema,
} from '../contract-bounds.ts'
import { permissionTable } from '../permission-matrix-table.ts'
import type { World } from '../permission-matrix-world.ts'
import { requestOf } from '../test-app.ts'
import { nameOf } from './ask-malformed.ts'

/** Limits for the response to one body filled up to its call's limit. */
export const maxCpuMs = 250
/** Parsing cost per MB beyond the first 8 MB. */
const cpuMsPerMb = 5
export const maxAnswerBytes = 64 * 1024
const defaultBodyLimit = 1024 * 1024
/** Maximum list items and keys of a body (docs/decisions/0025). */
const defaultBodyValues = 50_000
const attempts = 3

const listFillings = ['{}', '0', '""', '[]', '[{}]', `"${'x'.repeat(2000)}"`, `{"${'k'.repeat(300)}":0}`]
const mapFillings = ['{}', '0', '""', '[]']

type Fetch = (path: string, init: RequestInit) => Response | Promise<Response>

export interface LimitsPass {
  asked: number
  /** Lists and maps that were filled. */
  places: number
  slowestMs: number
  refusalBytes: number
  findings: string[]
}

/**
 * Fills every list and map of a call up to its own limit, the body's value limit and its byte limit. `limitBytes`
 * caps the body; `fillings` caps the kinds of values tried.
 */
export async function askAtLimits(
  world: World,
  call: AddressBookEntry,
  { fetch = world.app.fetch, limitBytes, fillings }: { fetch?: Fetch; limitBytes?: number; fillings?: number } = {},
): Promise<LimitsPass> {
  const { endpoint } = call
  const pass: LimitsPass = { asked: 0, places: 0, slowestMs: 0, refusalBytes: 0, findings: [] }
  if (!endpoint.body) return pass
  const line = permissionTable[nameOf(call)]
  if (!line) throw new Error(`${nameOf(call)} has no entry in tests/permission-matrix-table.ts`)
  const valid = await line.sample(world)
  const token = await world.tokenOf('owner')
  const { path, init } = requestOf(endpoint, { ...valid, bytes: undefined })
  const headers = { ...init.headers, ...(token && { authorization: `Bearer ${token}` }) }
  const bytes = Math.min(limitBytes ?? Number.POSITIVE_INFINITY, endpoint.bodyLimit ?? defaultBodyLimit)
  const { db } = world.app.services
  const cpuLimitMs = (body: Uint8Array) => maxCpuMs + cpuMsPerMb * Math.max(0, body.length / 1e6 - 8)
  for (const place of placesIn(endpoint.body)) {
    pass.places++
    for (const { what, text } of fillingsOf(place, {
      bytes,
      values: Math.max(defaultBodyValues, endpoint.bodyKeys ?? 0),
      fillings,
    })) {
      const body = Buffer.from(bodyWith({ ...endpoint.when?.body, ...valid.body }, place.path, text))
      if (body.length > bytes) continue
      let ms = Number.POSITIVE_INFINITY
      let answer = ''
      let status = 0
      // A pause of the machine or a garbage collection may cause one slow answer.
      for (let attempt = 0; attempt < attempts && ms > cpuLimitMs(body) && status < 500; attempt++) {
        await db.deleteFrom('throttle_windows').execute()
        const began = process.cpuUsage()
        const response = await fetch(path, {
          method: endpoint.method,
          headers,
          body: streamOf(body),
          duplex: 'half',
        } as RequestInit)
        answer = await textOf(response)
        const { user, system } = process.cpuUsage(began)
        ms = Math.min(ms, (user + system) / 1000)
        status = response.status
      }
      pass.asked++
      pass.slowestMs = Math.max(pass.slowestMs, ms)
      const isRefusal = status >= 400
      if (isRefusal) pass.refusalBytes = Math.max(pass.refusalBytes, Buffer.byteLength(answer))
      const wrong = [
        status >= 500 && `answers ${status}`,
        ms > cpuLimitMs(body) && `takes ${ms.toFixed(0)} ms of CPU`,
        isRefusal && Buffer.byteLength(answer) > maxAnswerBytes && `answers ${Buffer.byteLength(answer)} bytes`,
      ].filter((one) => one !== false)
      if (wrong.length > 0)
        pass.findings.push(
          `${nameOf(call)} ${place.path.join('.') || 'body'}, ${what}, ${body.length} bytes: ${wrong.join(', ')}`,
        )
    }
  }
  return pass
}

interface Place {
  path: Step[]
  kind: 'list' | 'map'
  max: number | undefined
}

/** The body itself and every list and map in it; an object with a catchall is a map too. */
function placesIn(body: NonNullable<AddressBookEntry['endpoint']['body']>): Place[] {
  const whole: Place[] = [
    { path: [], kind: 'list', max: undefined },
    { path: [], kind: 'map', max: undefined },
  ]
  return [...whole, ...[...walkSchema(body)].flatMap((node) => placeOf(node) ?? [])]
}

function placeOf({ path, schema }: SchemaNode): Place | undefined {
  if (path.includes(mapKey)) return undefined
  const { def } = schema._zod
  if (def.type === 'array') return { path, kind: 'list', max: maxItems(schema) }
  if (def.type === 'record') return { path, kind: 'map', max: maxKeys(schema) }
  return def.type === 'unknown' && path.at(-1) === mapValue
    ? { path: path.slice(0, -1), kind: 'map', max: undefined }
    : undefined
}

interface Room {
  bytes: number
  values: number
  fillings: number | undefined
}

function* fillingsOf(
  { kind, max }: Place,
  { bytes, values, fillings }: Room,
): Generator<{ what: string; text: string }> {
  for (const value of (kind === 'list' ? listFillings : mapFillings).slice(0, fillings)) {
    const mostForBytes = Math.floor((bytes * 0.98) / (value.length + (kind === 'list' ? 1 : 10)))
    // The rest of the valid body holds some values too.
    const mostForValues = values - 500
    const counts = [max ?? mostForValues, mostForValues, mostForBytes].map((count) => Math.min(count, mostForBytes))
    for (const count of new Set(counts)) {
      const what = `${count.toLocaleString('en-US')} of ${value.slice(0, 20)}`
      yield { what, text: kind === 'list' ? listOf(value, count) : mapOf(value, count) }
    }
  }
}

const listOf = (value: string, count: number) => `[${`${value},`.repeat(count).slice(0, -1)}]`
const mapOf = (value: string, count: number) =>
  `{${Array.from({ length: count }, (_, index) => `"${index.toString(36)}":${value}`).join(',')}}`

/** The JSON of a valid body with `text` at one path; missing parents are created. */
function bodyWith(valid: object, path: readonly Step[], text: string): string {
  const mark = 'the place of what is sent'
  const set = (value: unknown, [step, ...others]: readonly Step[]): unknown => {
    if (step === undefined) return mark
    if (step === listItem) return [set(Array.isArray(value) ? value[0] : undefined, others)]
    const known = typeof value === 'object' && value !== null && !Array.isArray(value) ? value : {}
    const name = step === mapValue ? (Object.keys(known)[0] ?? 'k') : step
    return { ...known, [name]: set((known as Record<string, unknown>)[name], others) }
  }
  return JSON.stringify(set(valid, path)).replace(JSON.stringify(mark), () => text)
}

function streamOf(body: Uint8Array): ReadableStream<Uint8Array> {
  return new ReadableStream({
    start(controller) {
      controller.enqueue(body)
      controller.close()
    },
  })
}

async function textOf(response: Response): Promise<string> {
  if (!(response.headers.get('content-type') ?? '').startsWith('text/event-stream')) return response.text()
  await response.body?.cancel()
  return ''
}
