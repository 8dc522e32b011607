import type { PlatformRole } from '#contract/accounts/accounts.ts'
import { type AddressBookEntry, addressBook } from '#contract/index.ts'
import { readersOfAdasWords, strangersChangeAdasRows } from './permission-matrix-canaries.ts'
import { type MemberKind, memberKinds, roleOfKind } from './permission-matrix-domains.ts'
import { type Line, permissionTable, type Sample } from './permission-matrix-table.ts'
import {
  type ActorKind,
  actorKinds,
  adasCanary,
  adasSignIn,
  passwordOfTheOthers,
  type World,
} from './permission-matrix-world.ts'
import { canaryKeys, canaryPlatformKeys } from './provider-app.ts'
import { requestOf } from './test-app.ts'
import { databaseHash, wholeDatabase } from './whole-database.ts'

export const nameOf = ({ area, name }: Pick<AddressBookEntry, 'area' | 'name'>) => `${area}.${name}`

const isMember = (kind: ActorKind): kind is MemberKind => (memberKinds as readonly string[]).includes(kind)

export function expectedFor(line: Line, kind: ActorKind): number {
  if (kind === 'owner' || kind === 'stranger' || kind === 'visitor') return line[kind]
  if (kind === 'dead token' || kind === 'expired token' || kind === 'deactivated') return line.visitor
  if (isMember(kind)) return line.members?.[roleOfKind(kind)] ?? line.stranger
  return line.roles?.[kind as PlatformRole] ?? line.stranger
}

export function lineFor(call: AddressBookEntry): Line {
  const line = permissionTable[nameOf(call)]
  if (!line)
    throw new Error(
      `${nameOf(call)} (${call.endpoint.method} ${call.endpoint.path}) has no entry in tests/permission-matrix-table.ts. Add who may make it.`,
    )
  return line
}

export interface CellAnswer {
  status: number
  text: string
  /** The token used. */
  token: string | null
}

/** Secrets that no response contains, not even to their owner. */
export const secretsOfWorld = [
  ...Object.values(canaryKeys),
  ...Object.values(canaryPlatformKeys),
  adasSignIn.password,
  'a-fresh-word-77',
  passwordOfTheOthers,
]

/** Describes the problem with one cell, or undefined. */
export function wrongIn(call: AddressBookEntry, kind: ActorKind, answer: CellAnswer): string | undefined {
  const expected = expectedFor(lineFor(call), kind)
  if (answer.status !== expected)
    return `${nameOf(call)} answers ${answer.status} to ${kind}, the table says ${expected}`
  const secret = [...secretsOfWorld, answer.token].find((each) => each && answer.text.includes(each))
  if (secret) return `${nameOf(call)} reveals a key, a password or a token to ${kind}`
  if (kind === 'owner' || !answer.text.includes(adasCanary)) return undefined
  const readers = readersOfAdasWords[nameOf(call)] ?? []
  return readers === 'everybody' || readers.includes(kind) ? undefined : `${nameOf(call)} tells ${kind} Ada’s words`
}

export type Fetch = (path: string, init: RequestInit) => Response | Promise<Response>

/** Sends one cell with an existing token; cancels streams right away. */
export async function answerOf(
  fetch: Fetch,
  call: AddressBookEntry,
  sample: Sample,
  token: string | null,
): Promise<CellAnswer> {
  const { path, init } = requestOf(call.endpoint, sample)
  const headers = { ...(init.headers as Record<string, string>), ...(token && { authorization: `Bearer ${token}` }) }
  const response = await fetch(path, { ...init, headers })
  // The event stream never ends on its own.
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) {
    await response.body?.cancel()
    return { status: response.status, text: '', token }
  }
  return { status: response.status, text: await response.text(), token }
}

/** Sends one cell with a new session and reset throttles. */
export async function ask(
  world: World,
  fetch: Fetch,
  call: AddressBookEntry,
  kind: ActorKind,
  sample: Sample,
): Promise<CellAnswer> {
  const token = await world.tokenOf(kind)
  await world.app.services.db.deleteFrom('throttle_windows').execute()
  return answerOf(fetch, call, sample, token)
}

/** Rows that name Ada but not the actor. */
export async function rowsOfAda(world: World, kind: ActorKind): Promise<string> {
  const own = world.idOf(kind)
  const rows = (await wholeDatabase(world.app.services.db, ['throttle_windows', 'sessions'])).split('\n')
  return rows.filter((row) => row.includes(world.adaId) && !(own && row.includes(own))).join('\n')
}

/** Sends one cell as an allowed stranger. Returns the problem with the response, or that Ada's rows changed. */
export async function strangersCell(
  world: World,
  call: AddressBookEntry,
  asking: (work: () => Promise<CellAnswer>) => Promise<CellAnswer> = (work) => work(),
): Promise<string | undefined> {
  const sample = await lineFor(call).sample(world)
  const token = await world.tokenOf('stranger')
  await world.app.services.db.deleteFrom('throttle_windows').execute()
  const before = await rowsOfAda(world, 'stranger')
  const answer = await asking(() => answerOf(world.app.fetch, call, sample, token))
  const wrong = wrongIn(call, 'stranger', answer)
  if (wrong !== undefined || strangersChangeAdasRows.includes(nameOf(call))) return wrong
  return (await rowsOfAda(world, 'stranger')) === before
    ? undefined
    : `${nameOf(call)}: a stranger changed rows of Ada’s`
}

/**
 * Sends one call as every kind of actor, refused ones first with a shared sample. `comparesRows` also checks that
 * refusals change nothing and strangers nothing of Ada's.
 */
export async function rowOf(
  world: World,
  call: AddressBookEntry,
  { looks, onCell }: { looks: boolean; onCell(): void },
): Promise<string[]> {
  const { db } = world.app.services
  const line = lineFor(call)
  const hash = async () => (looks ? databaseHash(db, ['throttle_windows']) : 'not looked at')
  const wrong: (string | undefined)[] = []
  const refused = actorKinds.filter((kind) => expectedFor(line, kind) >= 400)
  const sample = await line.sample(world)
  const tokens = new Map<ActorKind, string | null>()
  for (const kind of refused) tokens.set(kind, await world.tokenOf(kind))
  await db.deleteFrom('throttle_windows').execute()
  const before = await hash()
  for (const kind of refused) {
    wrong.push(wrongIn(call, kind, await answerOf(world.app.fetch, call, sample, tokens.get(kind) ?? null)))
    onCell()
  }
  if ((await hash()) !== before) wrong.push(`${nameOf(call)} changed the database despite refusing`)
  for (const kind of actorKinds.filter((candidate) => !refused.includes(candidate))) {
    if (kind === 'stranger' && looks) wrong.push(await strangersCell(world, call))
    else wrong.push(wrongIn(call, kind, await ask(world, world.app.fetch, call, kind, await line.sample(world))))
    onCell()
  }
  await world.strangersAgain()
  // Old sessions would slow down each later comparison.
  await db.deleteFrom('sessions').execute()
  return wrong.filter((each) => each !== undefined)
}

/** Creates one of everything, or of one area, so that lists could leak it. */
export async function makeAdasLife(world: World, area?: string): Promise<void> {
  for (const call of addressBook().filter((each) => area === undefined || each.area === area)) {
    await lineFor(call).sample(world)
    // With a key, her runs would call a provider.
    await world.app.services.db.deleteFrom('provider_keys').execute()
  }
}

export const everyCall = () => addressBook().map((call) => [nameOf(call), call] as const)
