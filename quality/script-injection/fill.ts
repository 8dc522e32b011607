import { type EndpointEntry, listEndpoints } from '../../contract/index.ts'
import type { JsonSchema } from '../../tests/malformed/hostile-values.ts'
import { toJsonSchema } from '../../tests/malformed/malformed-requests.ts'
import { type CallSample, permissionTable } from '../../tests/permission-matrix-table.ts'
import { adaCanary, type PermissionWorld } from '../../tests/permission-matrix-world.ts'
import { toRequest } from '../../tests/test-app.ts'
import { createFullSample } from './fuller-samples.ts'
import { createHostileBody, type GetText, resetField } from './hostile-body.ts'
import { payloads, withMark } from './payloads.ts'
import type { TextField } from './text-fields.ts'

/** Fields whose values are compared, hashed or encrypted, but never displayed. */
export const isSecret = (path: string) => /password|api_?key$|token$/i.test(path)

// These calls would lock Ada out.
const skippedCalls = new Set([
  'accounts.changePassword',
  'accounts.completePasswordReset',
  'ownAccount.askForDeletion',
  'accounts.login',
  'accounts.requestPasswordReset',
])

export interface FillOutcome {
  stored: Set<string>
  refused: number
  params: Map<string, Record<string, string>[]>
  answers: Map<string, Record<string, unknown>[]>
  problems: string[]
}

export type AcceptedPaths = Map<string, Set<string>>

type SendCall = (
  call: EndpointEntry,
  sample: CallSample,
  body: object,
) => Promise<{ status: number; answer: FillResponse }>
interface FillResponse {
  data?: Record<string, unknown>
  fields?: Record<string, string>
  error?: unknown
}

export async function sendPayloads(
  world: PermissionWorld,
  fields: TextField[],
  numbers: number[],
  acceptedPaths: AcceptedPaths,
): Promise<FillOutcome> {
  const token = await world.createToken('owner')
  const outcome: FillOutcome = { stored: new Set(), refused: 0, params: new Map(), answers: new Map(), problems: [] }
  const sendCall: SendCall = async ({ endpoint }, { params, query }, body) => {
    const headers = { authorization: `Bearer ${token}` }
    const { path, init } = toRequest(endpoint, { ...(params && { params }), ...(query && { query }), body, headers })
    const response = await world.app.fetch(path, init)
    return { status: response.status, answer: (await response.json()) as FillResponse }
  }
  for (const call of listEndpoints()) {
    const name = `${call.area}.${call.name}`
    const callFields = fields.filter((field) => field.call === name && !isSecret(field.path))
    if (callFields.length === 0 || skippedCalls.has(name)) continue
    const schema = toJsonSchema(call.endpoint.body)
    if (!acceptedPaths.has(name))
      acceptedPaths.set(name, await findAcceptedPaths(world, call, schema, callFields, sendCall))
    const accepted = acceptedPaths.get(name)
    for (const number of numbers)
      await sendPayload(world, call, schema, callFields, accepted ?? new Set(), number, sendCall, outcome)
  }
  return outcome
}

let plainTextCount = 0

async function findAcceptedPaths(
  world: PermissionWorld,
  call: EndpointEntry,
  schema: JsonSchema,
  callFields: TextField[],
  sendCall: SendCall,
) {
  const accepted = new Set(callFields.map(({ path }) => path))
  for (let attempt = 0; attempt < 40 && accepted.size > 0; attempt++) {
    const sample = await createSample(world, call, attempt)
    const body = createHostileBody(schema, structuredClone(sample.body ?? {}), (path, maxLength) =>
      accepted.has(path) ? `Plain words ${++plainTextCount}`.slice(0, maxLength) : undefined,
    )
    const { status, answer } = await sendCall(call, sample, body)
    if (status === 200) return accepted
    const countBefore = accepted.size
    for (const field of Object.keys(answer.fields ?? {})) {
      const path = resetField(body, sample.body, field) ?? field
      for (const item of [...accepted]) if (isAffected(item, path)) accepted.delete(item)
    }
    // The response names no field: drop the last one and retry.
    if (accepted.size === countBefore) accepted.delete([...accepted].at(-1) ?? '')
  }
  return accepted
}

/** Whether a problem named `problemField` concerns the field, its parent, or `slug` of `file.agent.slug`. */
function isAffected(path: string, problemField: string): boolean {
  const plainName = problemField.replaceAll('.[]', '[]')
  return path.startsWith(plainName) || path.endsWith(`.${plainName}`)
}

async function createSample(world: PermissionWorld, call: EndpointEntry, number: number): Promise<CallSample> {
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
    .where('id', '=', await world.createKeeper())
    .execute()
  await db.updateTable('sole_versions').set({ status: 'rejected' }).where('status', '=', 'draft').execute()
  const tableEntry = permissionTable[`${call.area}.${call.name}`]
  if (!tableEntry) throw new Error(`${call.area}.${call.name} has no line in tests/permission-matrix-table.ts`)
  return createFullSample(`${call.area}.${call.name}`, await tableEntry.sample(world), number)
}

async function sendPayload(
  world: PermissionWorld,
  call: EndpointEntry,
  schema: JsonSchema,
  callFields: TextField[],
  accepted: Set<string>,
  number: number,
  sendCall: SendCall,
  outcome: FillOutcome,
): Promise<void> {
  const name = `${call.area}.${call.name}`
  const sample = await createSample(world, call, number)
  const sentFields = new Map<string, { field: TextField; numbers: number[] }>()
  const getText: GetText = (path, maxLength) => {
    const field = callFields.find((item) => item.path === path)
    if (!field || !accepted.has(path)) return undefined
    // A different payload per field, so that a call with two shown fields shows two payloads.
    const payloadIndex = (number + field.number) % payloads.length
    const text = withMark(payloadIndex, field.number)
    if (text.length > maxLength) return undefined
    sentFields.set(path, { field, numbers: [payloadIndex] })
    return text
  }
  const body = createHostileBody(schema, structuredClone(sample.body ?? {}), getText)
  for (let attempt = 0; attempt < 12; attempt++) {
    const { status, answer } = await sendCall(call, sample, body)
    if (status === 200) {
      for (const { field, numbers } of sentFields.values())
        for (const item of numbers) outcome.stored.add(`${item} ${field.number}`)
      appendTo(outcome.params, name, sample.params ?? {})
      appendTo(outcome.answers, name, answer.data ?? {})
      return
    }
    if (status >= 500) outcome.problems.push(`${name} answered ${status} to ${JSON.stringify(body).slice(0, 300)}`)
    const problemFields = Object.keys(answer.fields ?? {})
    if (problemFields.length === 0) break
    for (const field of problemFields) {
      const path = resetField(body, sample.body, field) ?? field
      for (const item of [...sentFields.keys()])
        if (isAffected(item, path) && sentFields.delete(item)) outcome.refused++
    }
  }
  outcome.refused += sentFields.size
}

function appendTo<Value>(map: Map<string, Value[]>, name: string, value: Value): void {
  map.set(name, [...(map.get(name) ?? []), value])
}
