import { type AddressBookEntry, addressBook } from '#contract/index.ts'
import type { JsonSchema } from '#tests/malformed/hostile-values.ts'
import { toJsonSchema } from '#tests/malformed/malformed-requests.ts'
import { type CallSample, permissionTable } from '#tests/permission-matrix-table.ts'
import { adaCanary, type PermissionWorld } from '#tests/permission-matrix-world.ts'
import { toRequest } from '#tests/test-app.ts'
import { fullerSample } from './fuller-samples.ts'
import { hostileBody, resetField, type TextFor } from './hostile-body.ts'
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

type SendCall = (
  call: AddressBookEntry,
  sample: CallSample,
  body: object,
) => Promise<{ status: number; answer: FillResponse }>
interface FillResponse {
  data?: Record<string, unknown>
  fields?: Record<string, string>
  error?: unknown
}

export async function fill(
  world: PermissionWorld,
  fields: TextField[],
  numbers: number[],
  takes: Takes,
): Promise<Filled> {
  const token = await world.createToken('owner')
  const filled: Filled = { stored: new Set(), refused: 0, params: new Map(), answers: new Map(), wrong: [] }
  const sendCall: SendCall = async ({ endpoint }, { params, query }, body) => {
    const headers = { authorization: `Bearer ${token}` }
    const { path, init } = toRequest(endpoint, { ...(params && { params }), ...(query && { query }), body, headers })
    const response = await world.app.fetch(path, init)
    return { status: response.status, answer: (await response.json()) as FillResponse }
  }
  for (const call of addressBook()) {
    const name = `${call.area}.${call.name}`
    const callFields = fields.filter((field) => field.call === name && !isSecret(field.path))
    if (callFields.length === 0 || leftOut.has(name)) continue
    const schema = toJsonSchema(call.endpoint.body)
    if (!takes.has(name)) takes.set(name, await learn(world, call, schema, callFields, sendCall))
    const taken = takes.get(name)
    for (const number of numbers)
      await send(world, call, schema, callFields, taken ?? new Set(), number, sendCall, filled)
  }
  return filled
}

let plain = 0

async function learn(
  world: PermissionWorld,
  call: AddressBookEntry,
  schema: JsonSchema,
  callFields: TextField[],
  sendCall: SendCall,
) {
  const taken = new Set(callFields.map(({ path }) => path))
  for (let attempt = 0; attempt < 40 && taken.size > 0; attempt++) {
    const sample = await createSample(world, call, attempt)
    const body = hostileBody(schema, structuredClone(sample.body ?? {}), (path, maxLength) =>
      taken.has(path) ? `Plain words ${++plain}`.slice(0, maxLength) : undefined,
    )
    const { status, answer } = await sendCall(call, sample, body)
    if (status === 200) return taken
    const countBefore = taken.size
    for (const field of Object.keys(answer.fields ?? {})) {
      const path = resetField(body, sample.body, field) ?? field
      for (const item of [...taken]) if (isIn(item, path)) taken.delete(item)
    }
    // The response names no field: drop the last one and retry.
    if (taken.size === countBefore) taken.delete([...taken].at(-1) ?? '')
  }
  return taken
}

/** Whether a problem named `problemField` concerns the field, its parent, or `slug` of `file.agent.slug`. */
function isIn(path: string, named: string): boolean {
  const plainName = named.replaceAll('.[]', '[]')
  return path.startsWith(plainName) || path.endsWith(`.${plainName}`)
}

async function createSample(world: PermissionWorld, call: AddressBookEntry, number: number): Promise<CallSample> {
  const { db } = world.app.services
  await db.deleteFrom('throttle_windows').execute()
  // All samples share one keeper, where topic names are unique.
  await db.deleteFrom('topic_aliases').execute()
  await db
    .deleteFrom('topics')
    .where('name_folded', 'in', ['sea', `father ${adaCanary}`])
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
  world: PermissionWorld,
  call: AddressBookEntry,
  schema: JsonSchema,
  callFields: TextField[],
  taken: Set<string>,
  number: number,
  sendCall: SendCall,
  filled: Filled,
): Promise<void> {
  const name = `${call.area}.${call.name}`
  const sample = await createSample(world, call, number)
  const sent = new Map<string, { field: TextField; numbers: number[] }>()
  const textFor: TextFor = (path, maxLength) => {
    const field = callFields.find((item) => item.path === path)
    if (!field || !taken.has(path)) return undefined
    // A different payload per field, so that a call with two shown fields shows two payloads.
    const first = (number + field.number) % payloads.length
    const text = withMark(first, field.number)
    if (text.length > maxLength) return undefined
    sent.set(path, { field, numbers: [first] })
    return text
  }
  const body = hostileBody(schema, structuredClone(sample.body ?? {}), textFor)
  for (let attempt = 0; attempt < 12; attempt++) {
    const { status, answer } = await sendCall(call, sample, body)
    if (status === 200) {
      for (const { field, numbers } of sent.values())
        for (const item of numbers) filled.stored.add(`${item} ${field.number}`)
      noteUnder(filled.params, name, sample.params ?? {})
      noteUnder(filled.answers, name, answer.data ?? {})
      return
    }
    if (status >= 500) filled.wrong.push(`${name} answered ${status} to ${JSON.stringify(body).slice(0, 300)}`)
    const named = Object.keys(answer.fields ?? {})
    if (named.length === 0) break
    for (const field of named) {
      const path = resetField(body, sample.body, field) ?? field
      for (const item of [...sent.keys()]) if (isIn(item, path) && sent.delete(item)) filled.refused++
    }
  }
  filled.refused += sent.size
}

function noteUnder<Value>(map: Map<string, Value[]>, name: string, value: Value): void {
  map.set(name, [...(map.get(name) ?? []), value])
}
