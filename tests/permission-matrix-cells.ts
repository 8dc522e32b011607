import { setTimeout } from 'node:timers/promises'
import type { PlatformRole } from '#contract/accounts/accounts.ts'
import { type EndpointEntry, listEndpoints } from '#contract/index.ts'
import { findRunningJob } from '#server/backups/backup-jobs.ts'
import type { Database } from '#server/db/database.ts'
import { dumpDatabase, readDataVersion } from './dump-database.ts'
import { callsChangingAdaRows, canaryReaders } from './permission-matrix-canaries.ts'
import { getMemberRole, type MemberKind, memberKinds } from './permission-matrix-domains.ts'
import { type CallSample, type PermissionLine, permissionTable } from './permission-matrix-table.ts'
import {
  type ActorKind,
  actorKinds,
  adaCanary,
  adaSignIn,
  othersPassword,
  type PermissionWorld,
} from './permission-matrix-world.ts'
import { canaryKeys, canaryPlatformKeys } from './provider-app.ts'
import { toRequest } from './test-app.ts'

export const getCallName = ({ area, name }: Pick<EndpointEntry, 'area' | 'name'>) => `${area}.${name}`

const isMember = (kind: ActorKind): kind is MemberKind => (memberKinds as readonly string[]).includes(kind)

export function getExpectedStatus(line: PermissionLine, kind: ActorKind): number {
  if (kind === 'owner' || kind === 'stranger' || kind === 'visitor') return line[kind]
  if (kind === 'revoked token' || kind === 'expired token' || kind === 'deactivated') return line.visitor
  if (isMember(kind)) return line.members?.[getMemberRole(kind)] ?? line.stranger
  return line.roles?.[kind as PlatformRole] ?? line.stranger
}

export function getPermissionLine(call: EndpointEntry): PermissionLine {
  const line = permissionTable[getCallName(call)]
  if (!line)
    throw new Error(
      `${getCallName(call)} (${call.endpoint.method} ${call.endpoint.path}) has no entry in tests/permission-matrix-table.ts. Add who may make it.`,
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
export const worldSecrets = [
  ...Object.values(canaryKeys),
  ...Object.values(canaryPlatformKeys),
  adaSignIn.password,
  'a-fresh-word-77',
  othersPassword,
]

/** Describes the problem with one cell, or undefined. */
export function findCellProblem(call: EndpointEntry, kind: ActorKind, answer: CellAnswer): string | undefined {
  const expected = getExpectedStatus(getPermissionLine(call), kind)
  if (answer.status !== expected)
    return `${getCallName(call)} answers ${answer.status} to ${kind}, the table says ${expected}`
  const secret = [...worldSecrets, answer.token].find((candidate) => candidate && answer.text.includes(candidate))
  if (secret) return `${getCallName(call)} reveals a key, a password or a token to ${kind}`
  if (kind === 'owner' || !answer.text.includes(adaCanary)) return undefined
  const readers = canaryReaders[getCallName(call)] ?? []
  return readers === 'everyone' || readers.includes(kind)
    ? undefined
    : `${getCallName(call)} shows Ada’s text to ${kind}`
}

export type Fetch = (path: string, init: RequestInit) => Response | Promise<Response>

/** Sends one cell with an existing token; cancels streams right away. */
export async function sendCell(
  fetch: Fetch,
  call: EndpointEntry,
  sample: CallSample,
  token: string | null,
): Promise<CellAnswer> {
  const { path, init } = toRequest(call.endpoint, sample)
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
export async function sendAs(
  world: PermissionWorld,
  fetch: Fetch,
  call: EndpointEntry,
  kind: ActorKind,
  sample: CallSample,
): Promise<CellAnswer> {
  const token = await world.createToken(kind)
  await world.app.services.db.deleteFrom('throttle_windows').execute()
  return sendCell(fetch, call, sample, token)
}

/** Rows that name Ada but not the actor. */
export async function readAdaRows(world: PermissionWorld, kind: ActorKind): Promise<string> {
  const actorId = world.getActorId(kind)
  const rows = (await dumpDatabase(world.app.services.db, ['throttle_windows', 'sessions'])).split('\n')
  return rows.filter((row) => row.includes(world.adaId) && !(actorId && row.includes(actorId))).join('\n')
}

/** Sends one cell as an allowed stranger. Returns the problem with the response, or that Ada's rows changed. */
export async function checkStranger(
  world: PermissionWorld,
  call: EndpointEntry,
  runRequest: (work: () => Promise<CellAnswer>) => Promise<CellAnswer> = (work) => work(),
): Promise<string | undefined> {
  const sample = await getPermissionLine(call).sample(world)
  const token = await world.createToken('stranger')
  await world.app.services.db.deleteFrom('throttle_windows').execute()
  const previousRows = await readAdaRows(world, 'stranger')
  const answer = await runRequest(() => sendCell(world.app.fetch, call, sample, token))
  const problem = findCellProblem(call, 'stranger', answer)
  if (problem !== undefined || callsChangingAdaRows.includes(getCallName(call))) return problem
  return (await readAdaRows(world, 'stranger')) === previousRows
    ? undefined
    : `${getCallName(call)}: a stranger changed rows of Ada’s`
}

/**
 * Sends one call as every kind of actor, refused ones first with a shared sample. `comparesRows` also checks that
 * refusals change nothing and strangers nothing of Ada's.
 */
export async function checkCall(
  world: PermissionWorld,
  call: EndpointEntry,
  { comparesRows, onCell }: { comparesRows: boolean; onCell(): void },
): Promise<string[]> {
  const { db } = world.app.services
  const line = getPermissionLine(call)
  const problems: (string | undefined)[] = []
  const refusedKinds = actorKinds.filter((kind) => getExpectedStatus(line, kind) >= 400)
  const sample = await line.sample(world)
  const tokens = new Map<ActorKind, string | null>()
  for (const kind of refusedKinds) tokens.set(kind, await world.createToken(kind))
  await db.deleteFrom('throttle_windows').execute()
  const previousDump = comparesRows ? await dumpOnceSettled(db) : null
  for (const kind of refusedKinds) {
    problems.push(findCellProblem(call, kind, await sendCell(world.app.fetch, call, sample, tokens.get(kind) ?? null)))
    onCell()
  }
  const changes = previousDump ? await findChangedRows(db, previousDump) : []
  if (changes.length > 0)
    problems.push(`${getCallName(call)} changed the database despite refusing: ${changes.join(' ')}`)
  for (const kind of actorKinds.filter((candidate) => !refusedKinds.includes(candidate))) {
    if (kind === 'stranger' && comparesRows) problems.push(await checkStranger(world, call))
    else
      problems.push(
        findCellProblem(call, kind, await sendAs(world, world.app.fetch, call, kind, await line.sample(world))),
      )
    onCell()
  }
  await world.removeNewMembers()
  // Old sessions would slow down each later comparison.
  await db.deleteFrom('sessions').execute()
  return problems.filter((message) => message !== undefined)
}

const maxChanges = 4

interface SettledDump {
  rows: string
  version: number | null
}

const dumpRows = (db: Database) => dumpDatabase(db, ['throttle_windows'])

/** Jobs that earlier samples started may still write. */
async function dumpOnceSettled(db: Database): Promise<SettledDump> {
  for (let previous = ''; ; await setTimeout(200)) {
    const version = await readDataVersion(db)
    const rows = await dumpRows(db)
    const isQuiet = version === null ? rows === previous : version === (await readDataVersion(db))
    if (isQuiet && !(await findRunningJob(db))) return { rows, version }
    previous = rows
  }
}

async function findChangedRows(db: Database, { rows, version }: SettledDump): Promise<string[]> {
  if (version !== null && version === (await readDataVersion(db))) return []
  const previousLines = new Set(rows.split('\n'))
  const currentLines = new Set((await dumpRows(db)).split('\n'))
  const removed = [...previousLines].filter((line) => !currentLines.has(line))
  const added = [...currentLines].filter((line) => !previousLines.has(line))
  return [...removed, ...added].slice(0, maxChanges)
}

/** Creates one of everything, or of one area, so that lists could leak it. */
export async function createAdaSamples(world: PermissionWorld, area?: string): Promise<void> {
  for (const call of listEndpoints().filter((entry) => area === undefined || entry.area === area)) {
    await getPermissionLine(call).sample(world)
    // With a key, her runs would call a provider.
    await world.app.services.db.deleteFrom('provider_keys').execute()
  }
}

export const listCalls = () => listEndpoints().map((call) => [getCallName(call), call] as const)

/** Field names of a contract schema; empty if it is absent or not an object. */
export const getFieldNames = (schema: unknown): string[] =>
  Object.keys((schema as { shape?: object } | undefined)?.shape ?? {})
