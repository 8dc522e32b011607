import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { EndpointEntry } from '#contract/index.ts'
import type { Engine } from '#server/db/database.ts'
import { waitForImports } from '#server/keepers/transfer/execute-import.ts'
import { dumpDatabase } from './dump-database.ts'
import { eventually } from './eventually.ts'
import { type Fetch, getCallName, getFieldNames, getPermissionLine } from './permission-matrix-cells.ts'
import type { CallSample } from './permission-matrix-table.ts'
import { type ActorKind, createPermissionWorld, type PermissionWorld } from './permission-matrix-world.ts'
import { toRequest } from './test-app.ts'

/** The ways to claim another identity. */
export const spoofs = {
  header: (sample: CallSample, victim: string): SpoofedSample => ({
    ...sample,
    headers: { 'x-user-id': victim, 'x-userid': victim, 'x-forwarded-user': victim, 'remote-user': victim },
  }),
  query: (sample: CallSample, victim: string): SpoofedSample => ({
    ...sample,
    query: { ...sample.query, userId: victim, user_id: victim },
  }),
  'body userId': (sample: CallSample, victim: string): SpoofedSample =>
    withBody(sample, { userId: victim, user_id: victim, personId: victim }),
  'body ownerId': (sample: CallSample, victim: string): SpoofedSample =>
    withBody(sample, { ownerId: victim, owner_id: victim, owner: victim }),
}
export type SpoofName = keyof typeof spoofs
type SpoofedSample = CallSample & { headers?: Record<string, string> }

/** Fields of the sample win: where a call takes a `userId`, that is its target, not a claim. */
const withBody = (sample: CallSample, extraFields: object): SpoofedSample => ({
  ...sample,
  body: { ...extraFields, ...sample.body },
})

/** Drops parameters that the call declares itself, such as a filter by owner; those are no spoof. */
function dropDeclaredNames(
  { endpoint }: EndpointEntry,
  spoofedSample: SpoofedSample,
  sample: CallSample,
): SpoofedSample['query'] {
  const declaredNames = getFieldNames(endpoint.query)
  const isSpoof = (name: string) => !declaredNames.includes(name) || name in (sample.query ?? {})
  return Object.fromEntries(Object.entries(spoofedSample.query ?? {}).filter(([name]) => isSpoof(name)))
}

export interface Twins {
  honest: PermissionWorld
  spoofed: PermissionWorld
  /** Restarts the id sequences of both. */
  resetIds(step: string): void
}

/** Two worlds with the same ids and clock, comparable byte by byte. */
export async function createTwins(engine: Engine): Promise<Twins> {
  let step = 'start'
  const counts = { honest: 0, spoofed: 0 }
  const now = Date.UTC(2026, 2, 3, 12)
  const createIdSource = (twin: 'honest' | 'spoofed') => ({
    newId: () =>
      createHash('sha256')
        .update(`${step} ${counts[twin]++}`)
        .digest('hex')
        .slice(0, 32),
    now: () => new Date(now),
  })
  const honest = await createPermissionWorld(engine, {}, createIdSource('honest'))
  const spoofed = await createPermissionWorld(engine, {}, createIdSource('spoofed'))
  return {
    honest,
    spoofed,
    resetIds(nextStep) {
      step = nextStep
      counts.honest = 0
      counts.spoofed = 0
    },
  }
}

/** These differ in each run: secrets, salted hashes and durations. */
const randomValues =
  /(?:kpr|keeper_[a-z]+)_[\w-]{43}|"[\w-]{43}"|"(?:challenge|challenge_hash|code_hash|codes|flow|hint|pin_hash|secret|uri|url|redirectUrl|password_hash|token_hash|body_hash|sealed|ciphertext|custom_domain_token|token)":(?:"[^"]*"|\{[^}]*\})|"\w*_?ms":[\d.]+|"uptime_seconds":[\d.]+|"time":"[^"]+"/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is how a zip marks them
const zipTimes = /(PK\x03\x04[\s\S]{6}|PK\x01\x02[\s\S]{8}|UT\x05\x00[\s\S])[\s\S]{4}/g
/** An upload may be done or not when the response is sent; the database shows the result. */
const pendingState = /"state":"\w+",.*$/s
const maskRandomValues = (text: string) => text.replace(randomValues, '~')

/** Describes how a spoof changed the response or the database. */
export async function findSpoofDifference(
  twins: Twins,
  call: EndpointEntry,
  kind: ActorKind,
  spoof: SpoofName,
  fetch: Fetch = twins.spoofed.app.fetch,
): Promise<string | undefined> {
  const sendRequest = async (
    world: PermissionWorld,
    { fetch: sendThrough, spoofName, isAllowed }: { fetch: Fetch; spoofName?: SpoofName; isAllowed?: boolean },
  ) => {
    // The control repeats a call through a server that trusts the spoof, and needs other IDs.
    twins.resetIds(`${getCallName(call)} ${kind} ${spoof}${fetch === twins.spoofed.app.fetch ? '' : ', trusting'}`)
    const sample = await getPermissionLine(call).sample(world)
    const token = await world.createToken(kind)
    await waitForImports()
    await world.app.services.db.deleteFrom('throttle_windows').execute()
    const spoofedSample: SpoofedSample = spoofName ? spoofs[spoofName](sample, world.adaId) : sample
    if (spoofName === 'query' && isAllowed) spoofedSample.query = dropDeclaredNames(call, spoofedSample, sample)
    const authorizedSample = {
      ...spoofedSample,
      headers: { ...spoofedSample.headers, ...(token && { authorization: `Bearer ${token}` }) },
    }
    // A body is invalid for calls that take none.
    if (call.endpoint.body === undefined && call.endpoint.match?.body === undefined) delete authorizedSample.body
    const { path, init } = toRequest(call.endpoint, authorizedSample)
    const previousMailCount = world.app.mails.length
    const response = await sendThrough(path, init)
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    if (isStream) await response.body?.cancel()
    const text = isStream
      ? ''
      : Buffer.from(await response.arrayBuffer())
          .toString('latin1')
          .replace(zipTimes, '$1')
    const stableText = getCallName(call) === 'transfer.upload' ? text.replace(pendingState, '~') : text
    // The email is sent after the response and uses ids of the next call.
    if (getCallName(call) === 'accounts.requestPasswordReset' && response.ok)
      await eventually(() => assert(world.app.mails.length > previousMailCount))
    await waitForImports()
    const databaseText = maskRandomValues(
      await dumpDatabase(world.app.services.db, ['throttle_windows', 'person_usage']),
    )
    return { status: response.status, text: maskRandomValues(stableText), databaseText }
  }
  const honest = await sendRequest(twins.honest, { fetch: twins.honest.app.fetch })
  const spoofed = await sendRequest(twins.spoofed, { fetch, spoofName: spoof, isAllowed: honest.status < 400 })
  const cellName = `${getCallName(call)}, ${kind}, ${spoof}`
  if (honest.status !== spoofed.status) return `${cellName}: ${honest.status} becomes ${spoofed.status}`
  if (honest.text !== spoofed.text)
    return `${cellName}: the answer ${describeFirstDifference(honest.text, spoofed.text)}`
  if (honest.databaseText !== spoofed.databaseText)
    return `${cellName}: the database ${describeFirstDifference(honest.databaseText, spoofed.databaseText)}`
  return undefined
}

function describeFirstDifference(one: string, other: string): string {
  let index = 0
  while (index < one.length && one[index] === other[index]) index++
  const cutAround = (text: string) => JSON.stringify(text.slice(Math.max(0, index - 80), index + 80))
  return `${cutAround(one)} becomes ${cutAround(other)}`
}
