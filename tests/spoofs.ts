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

/** The four ways to say one is somebody else. */
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

/** What the call itself asks for stays: there a userId is to whom something is done. */
const withBody = (sample: Sample, more: object): Spoofed => ({ ...sample, body: { ...more, ...sample.body } })

/** Of who may ask it anyway: where a list is narrowed by whose something is, that name is no lie about who asks. */
function withoutOwnNames({ endpoint }: AddressBookEntry, sent: Spoofed, sample: Sample): Spoofed['query'] {
  const own = fieldNames(endpoint.query)
  const isLie = (name: string) => !own.includes(name) || name in (sample.query ?? {})
  return Object.fromEntries(Object.entries(sent.query ?? {}).filter(([name]) => isLie(name)))
}

export interface Twins {
  honest: World
  spoofed: World
  /** Both draw the same ids from here on. */
  inStep(at: string): void
}

/** Two worlds of which each does what the other does, with the same ids and the same clock, to the byte. */
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

/** What is chance in both: secrets, what is hashed with salt, and how long something took. */
const chance =
  /kpr_[\w-]{43}|"(?:password_hash|token_hash|body_hash|sealed|ciphertext|custom_domain_token|token)":(?:"[^"]*"|\{[^}]*\})|"\w*_?ms":[\d.]+|"uptime_seconds":[\d.]+|"time":"[^"]+"/g
/** The clock of the machine in the heads of a zip's files. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is how a zip marks them
const zipTimes = /(PK\x03\x04[\s\S]{6}|PK\x01\x02[\s\S]{8}|UT\x05\x00[\s\S])[\s\S]{4}/g
/** An upload is looked at while it is answered; what came of it is compared in the database. */
const goesOn = /"state":"\w+",.*$/s
const withoutChance = (text: string) => text.replace(chance, '~')

/** @returns a sentence when a spoof changed the answer or what is kept */
export async function differenceBySpoof(
  twins: Twins,
  call: AddressBookEntry,
  kind: ActorKind,
  spoof: SpoofName,
  fetch: Fetch = twins.spoofed.app.fetch,
): Promise<string | undefined> {
  const ask = async (world: World, through: Fetch, spoofedBy: SpoofName | null, isAnswered = false) => {
    // Asked again of a door that believes it, it draws other ids than the first time.
    twins.inStep(`${nameOf(call)} ${kind} ${spoof}${fetch === twins.spoofed.app.fetch ? '' : ', believed'}`)
    const sample = await lineFor(call).sample(world)
    const token = await world.tokenOf(kind)
    await importsAreOver()
    await world.app.services.db.deleteFrom('throttle_windows').execute()
    const sent: Spoofed = spoofedBy ? spoofs[spoofedBy](sample, world.adaId) : sample
    if (spoofedBy === 'query' && isAnswered) sent.query = withoutOwnNames(call, sent, sample)
    const withHeaders = { ...sent, headers: { ...sent.headers, ...(token && { authorization: `Bearer ${token}` }) } }
    // A body where the call takes none is no call at all.
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
    // Its link is made and mailed after the answer, by ids that the next call would draw.
    if (nameOf(call) === 'accounts.requestPasswordReset' && response.ok)
      await eventually(() => assert(world.app.mails.length > mailed))
    await importsAreOver()
    const kept = withoutChance(await wholeDatabase(world.app.services.db, ['throttle_windows', 'person_usage']))
    return { status: response.status, text: withoutChance(said), kept }
  }
  const honest = await ask(twins.honest, twins.honest.app.fetch, null)
  const spoofed = await ask(twins.spoofed, fetch, spoof, honest.status < 400)
  const where = `${nameOf(call)}, ${kind}, ${spoof}`
  if (honest.status !== spoofed.status) return `${where}: ${honest.status} becomes ${spoofed.status}`
  if (honest.text !== spoofed.text) return `${where}: the answer ${firstDifference(honest.text, spoofed.text)}`
  if (honest.kept !== spoofed.kept) return `${where}: the database ${firstDifference(honest.kept, spoofed.kept)}`
  return undefined
}

function firstDifference(one: string, other: string): string {
  let at = 0
  while (at < one.length && one[at] === other[at]) at++
  return `${JSON.stringify(one.slice(Math.max(0, at - 80), at + 80))} becomes ${JSON.stringify(other.slice(Math.max(0, at - 80), at + 80))}`
}
