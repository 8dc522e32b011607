import { type AddressBookEntry, addressBook } from '#contract/index.ts'
import type { JsonSchema } from '#tests/malformed/hostile-values.ts'
import { schemaOf } from '#tests/malformed/malformed-requests.ts'
import { permissionTable, type Sample } from '#tests/permission-matrix-table.ts'
import { adasCanary, type World } from '#tests/permission-matrix-world.ts'
import { requestOf } from '#tests/test-app.ts'
import { fullerSample } from './fuller-samples.ts'
import { hostileBody, type TextFor, takeBack } from './hostile-body.ts'
import { payloads, withMark } from './payloads.ts'
import type { TextField } from './text-fields.ts'

/** Looked up, hashed or sealed, never displayed. */
export const isSecret = (path: string) => /password|api_?key$|token$/i.test(path)

// These would lock Ada out.
const leftOut = new Set([
  'accounts.changePassword',
  'accounts.completePasswordReset',
  'ownAccount.askForDeletion',
  'accounts.login',
  'accounts.requestPasswordReset',
])

export interface Filled {
  stored: Set<string>
  refused: number
  params: Map<string, Record<string, string>[]>
  answers: Map<string, Record<string, unknown>[]>
  wrong: string[]
}

export type Takes = Map<string, Set<string>>

type Ask = (call: AddressBookEntry, sample: Sample, body: object) => Promise<{ status: number; answer: Answered }>
interface Answered {
  data?: Record<string, unknown>
  fields?: Record<string, string>
  error?: unknown
}

/** Sends every call with text fields once per payload, with a payload in every field that accepts text. */
export async function fill(world: World, fields: TextField[], numbers: number[], takes: Takes): Promise<Filled> {
  const token = await world.tokenOf('owner')
  const filled: Filled = { stored: new Set(), refused: 0, params: new Map(), answers: new Map(), wrong: [] }
  const ask: Ask = async ({ endpoint }, { params, query }, body) => {
    const headers = { authorization: `Bearer ${token}` }
    const { path, init } = requestOf(endpoint, { ...(params && { params }), ...(query && { query }), body, headers })
    const response = await world.app.fetch(path, init)
    return { status: response.status, answer: (await response.json()) as Answered }
  }
  for (const call of addressBook()) {
    const name = `${call.area}.${call.name}`
    const own = fields.filter((field) => field.call === name && !isSecret(field.path))
    if (own.length === 0 || leftOut.has(name)) continue
    const schema = schemaOf(call.endpoint.body)
    if (!takes.has(name)) takes.set(name, await learn(world, call, schema, own, ask))
    const taken = takes.get(name)
    for (const number of numbers) await send(world, call, schema, own, taken ?? new Set(), number, ask, filled)
  }
  return filled
}

let plain = 0

async function learn(world: World, call: AddressBookEntry, schema: JsonSchema, own: TextField[], ask: Ask) {
  const taken = new Set(own.map(({ path }) => path))
  for (let tries = 0; tries < 40 && taken.size > 0; tries++) {
    const sample = await sampleOf(world, call, tries)
    const body = hostileBody(schema, structuredClone(sample.body ?? {}), (path, most) =>
      taken.has(path) ? `Plain words ${++plain}`.slice(0, most) : undefined,
    )
    const { status, answer } = await ask(call, sample, body)
    if (status === 200) return taken
    const before = taken.size
    for (const field of Object.keys(answer.fields ?? {})) {
      const path = takeBack(body, sample.body, field) ?? field
      for (const each of [...taken]) if (isIn(each, path)) taken.delete(each)
    }
    // The response names no field: drop the last one and retry.
    if (taken.size === before) taken.delete([...taken].at(-1) ?? '')
  }
  return taken
}

/** Whether a problem named `named` concerns the field, its parent, or `slug` of `file.agent.slug`. */
function isIn(path: string, named: string): boolean {
  const plainName = named.replaceAll('.[]', '[]')
  return path.startsWith(plainName) || path.endsWith(`.${plainName}`)
}

async function sampleOf(world: World, call: AddressBookEntry, number: number): Promise<Sample> {
  const { db } = world.app.services
  await db.deleteFrom('throttle_windows').execute()
  // All samples share one keeper, where topic names are unique.
  await db.deleteFrom('topic_aliases').execute()
  await db
    .deleteFrom('topics')
    .where('name_folded', 'in', ['sea', `father ${adasCanary}`])
    .execute()
  await db
    .updateTable('keepers')
    .set({ memory_pattern: 'sole' })
    .where('id', '=', await world.keeper())
    .execute()
  await db.updateTable('sole_versions').set({ status: 'rejected' }).where('status', '=', 'draft').execute()
  const line = permissionTable[`${call.area}.${call.name}`]
  if (!line) throw new Error(`${call.area}.${call.name} has no line in tests/permission-matrix-table.ts`)
  return fullerSample(`${call.area}.${call.name}`, await line.sample(world), number)
}

async function send(
  world: World,
  call: AddressBookEntry,
  schema: JsonSchema,
  own: TextField[],
  taken: Set<string>,
  number: number,
  ask: Ask,
  filled: Filled,
): Promise<void> {
  const name = `${call.area}.${call.name}`
  const sample = await sampleOf(world, call, number)
  const sent = new Map<string, { field: TextField; numbers: number[] }>()
  const textFor: TextFor = (path, most) => {
    const field = own.find((each) => each.path === path)
    if (!field || !taken.has(path)) return undefined
    // A different payload per field, so that a call with two shown fields shows two payloads.
    const first = (number + field.number) % payloads.length
    const text = withMark(first, field.number)
    if (text.length > most) return undefined
    sent.set(path, { field, numbers: [first] })
    return text
  }
  const body = hostileBody(schema, structuredClone(sample.body ?? {}), textFor)
  for (let tries = 0; tries < 12; tries++) {
    const { status, answer } = await ask(call, sample, body)
    if (status === 200) {
      for (const { field, numbers } of sent.values())
        for (const each of numbers) filled.stored.add(`${each} ${field.number}`)
      noteUnder(filled.params, name, sample.params ?? {})
      noteUnder(filled.answers, name, answer.data ?? {})
      return
    }
    if (status >= 500) filled.wrong.push(`${name} answered ${status} to ${JSON.stringify(body).slice(0, 300)}`)
    const named = Object.keys(answer.fields ?? {})
    if (named.length === 0) break
    for (const field of named) {
      const path = takeBack(body, sample.body, field) ?? field
      for (const each of [...sent.keys()]) if (isIn(each, path) && sent.delete(each)) filled.refused++
    }
  }
  filled.refused += sent.size
}

function noteUnder<Value>(map: Map<string, Value[]>, name: string, value: Value): void {
  map.set(name, [...(map.get(name) ?? []), value])
}
