import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { AddressBookEntry } from '#contract/index.ts'
import type { Engine } from '#server/db/database.ts'
import { importsAreOver } from '#server/keepers/transfer/carry-out-import.ts'
import { eventually } from './eventually.ts'
import { fieldNames } from './field-names.ts'
import { type Fetch, lineFor, nameOf } from './permission-matrix-cells.ts'
import type { Sample } from './permission-matrix-table.ts'
import { type ActorKind, makeWorld, type World } from './permission-matrix-world.ts'
import { requestOf } from './test-app.ts'
import { wholeDatabase } from './whole-database.ts'

/** The ways to claim another identity. */
export const spoofs = {
  header: (sample: Sample, victim: string): Spoofed => ({
    ...sample,
    headers: { 'x-user-id': victim, 'x-userid': victim, 'x-forwarded-user': victim, 'remote-user': victim },
  }),
  query: (sample: Sample, victim: string): Spoofed => ({
    ...sample,
    query: { ...sample.query, userId: victim, user_id: victim },
  }),
  'body userId': (sample: Sample, victim: string): Spoofed =>
    withBody(sample, { userId: victim, user_id: victim, personId: victim }),
  'body ownerId': (sample: Sample, victim: string): Spoofed =>
    withBody(sample, { ownerId: victim, owner_id: victim, owner: victim }),
}
export type SpoofName = keyof typeof spoofs
type Spoofed = Sample & { headers?: Record<string, string> }

/** The call's own fields stay: there a userId is the target. */
const withBody = (sample: Sample, more: object): Spoofed => ({ ...sample, body: { ...more, ...sample.body } })

/** Drops parameters that the call declares itself, such as a filter by owner; those are no spoof. */
function withoutOwnNames({ endpoint }: AddressBookEntry, sent: Spoofed, sample: Sample): Spoofed['query'] {
  const own = fieldNames(endpoint.query)
  const isLie = (name: string) => !own.includes(name) || name in (sample.query ?? {})
  return Object.fromEntries(Object.entries(sent.query ?? {}).filter(([name]) => isLie(name)))
}

export interface Twins {
  honest: World
  spoofed: World
  /** Restarts the id sequences of both. */
  inStep(at: string): void
}

/** Two worlds with the same ids and clock, comparable byte by byte. */
export async function makeTwins(engine: Engine): Promise<Twins> {
  let step = 'start'
  const counts = { honest: 0, spoofed: 0 }
  const now = Date.UTC(2026, 2, 3, 12)
  const fixedFor = (which: 'honest' | 'spoofed') => ({
    newId: () =>
      createHash('sha256')
        .update(`${step} ${counts[which]++}`)
        .digest('hex')
        .slice(0, 32),
    now: () => new Date(now),
  })
  const honest = await makeWorld(engine, {}, fixedFor('honest'))
  const spoofed = await makeWorld(engine, {}, fixedFor('spoofed'))
  return {
    honest,
    spoofed,
    inStep(at) {
      step = at
      counts.honest = 0
      counts.spoofed = 0
    },
  }
}

/** Random in both: secrets, salted hashes and durations. */
const chance =
  /kpr_[\w-]{43}|"(?:password_hash|token_hash|body_hash|sealed|ciphertext|custom_domain_token|token)":(?:"[^"]*"|\{[^}]*\})|"\w*_?ms":[\d.]+|"uptime_seconds":[\d.]+|"time":"[^"]+"/g
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is how a zip marks them
const zipTimes = /(PK\x03\x04[\s\S]{6}|PK\x01\x02[\s\S]{8}|UT\x05\x00[\s\S])[\s\S]{4}/g
/** An upload is processed while it is answered; the database shows the result. */
const goesOn = /"state":"\w+",.*$/s
const withoutChance = (text: string) => text.replace(chance, '~')

/** Describes how a spoof changed the response or the database. */
export async function differenceBySpoof(
  twins: Twins,
  call: AddressBookEntry,
  kind: ActorKind,
  spoof: SpoofName,
  fetch: Fetch = twins.spoofed.app.fetch,
): Promise<string | undefined> {
  const ask = async (world: World, through: Fetch, spoofedBy: SpoofName | null, isAnswered = false) => {
    // The second attempt must use different ids.
    twins.inStep(`${nameOf(call)} ${kind} ${spoof}${fetch === twins.spoofed.app.fetch ? '' : ', believed'}`)
    const sample = await lineFor(call).sample(world)
    const token = await world.tokenOf(kind)
    await importsAreOver()
    await world.app.services.db.deleteFrom('throttle_windows').execute()
    const sent: Spoofed = spoofedBy ? spoofs[spoofedBy](sample, world.adaId) : sample
    if (spoofedBy === 'query' && isAnswered) sent.query = withoutOwnNames(call, sent, sample)
    const withHeaders = { ...sent, headers: { ...sent.headers, ...(token && { authorization: `Bearer ${token}` }) } }
    // A body is invalid for calls that take none.
    if (call.endpoint.body === undefined && call.endpoint.when?.body === undefined) delete withHeaders.body
    const { path, init } = requestOf(call.endpoint, withHeaders)
    const mailed = world.app.mails.length
    const response = await through(path, init)
    const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
    if (isStream) await response.body?.cancel()
    const text = isStream
      ? ''
      : Buffer.from(await response.arrayBuffer())
          .toString('latin1')
          .replace(zipTimes, '$1')
    const said = nameOf(call) === 'transfer.upload' ? text.replace(goesOn, '~') : text
    // The email is sent after the response and uses ids of the next call.
    if (nameOf(call) === 'accounts.requestPasswordReset' && response.ok)
      await eventually(() => assert(world.app.mails.length > mailed))
    await importsAreOver()
    const databaseText = withoutChance(await wholeDatabase(world.app.services.db, ['throttle_windows', 'person_usage']))
    return { status: response.status, text: withoutChance(said), databaseText }
  }
  const honest = await ask(twins.honest, twins.honest.app.fetch, null)
  const spoofed = await ask(twins.spoofed, fetch, spoof, honest.status < 400)
  const where = `${nameOf(call)}, ${kind}, ${spoof}`
  if (honest.status !== spoofed.status) return `${where}: ${honest.status} becomes ${spoofed.status}`
  if (honest.text !== spoofed.text) return `${where}: the answer ${firstDifference(honest.text, spoofed.text)}`
  if (honest.databaseText !== spoofed.databaseText) return `${where}: the database ${firstDifference(honest.databaseText, spoofed.databaseText)}`
  return undefined
}

function firstDifference(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return `${JSON.stringify(one.slice(Math.max(0, at - 80), at + 80))} becomes ${JSON.stringify(other.slice(Math.max(0, at - 80), at + 80))}`
}
