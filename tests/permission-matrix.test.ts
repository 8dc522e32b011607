import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { PlatformRole } from '#contract/accounts/accounts.ts'
import { type DomainRole, domainDeeds } from '#contract/domains/domain-deeds.ts'
import { memberRoles } from '#contract/domains/domains.ts'
import type { Access } from '#contract/endpoint.ts'
import { type AddressBookEntry, addressBook } from '#contract/index.ts'
import { servedCalls } from '#server/app.ts'
import { createRouter } from '#server/http/router.ts'
import { engines } from './engines.ts'
import { type MemberKind, memberKinds, roleOfKind } from './permission-matrix-domains.ts'
import { type Line, permissionTable, type Sample } from './permission-matrix-table.ts'
import { type ActorKind, actorKinds, makeWorld, type World } from './permission-matrix-world.ts'
import { requestOf } from './test-app.ts'
import { databaseHash } from './whole-database.ts'

const nameOf = ({ area, name }: AddressBookEntry) => `${area}.${name}`

const isMember = (kind: ActorKind): kind is MemberKind => (memberKinds as readonly string[]).includes(kind)

function expectedFor(line: Line, kind: ActorKind): number {
  if (kind === 'owner' || kind === 'stranger' || kind === 'visitor') return line[kind]
  if (kind === 'dead token' || kind === 'expired token' || kind === 'deactivated') return line.visitor
  if (isMember(kind)) return line.members?.[roleOfKind(kind)] ?? line.stranger
  return line.roles?.[kind as PlatformRole] ?? line.stranger
}

/** What is wrong with one cell, as a sentence; undefined when nothing is. */
function wrongIn(call: AddressBookEntry, line: Line, kind: ActorKind, status: number): string | undefined {
  const expected = expectedFor(line, kind)
  return status === expected ? undefined : `${nameOf(call)} answers ${status} to ${kind}, the table says ${expected}`
}

function lineFor(call: AddressBookEntry): Line {
  const line = permissionTable[nameOf(call)]
  if (!line)
    throw new Error(
      `${nameOf(call)} (${call.endpoint.method} ${call.endpoint.path}) has no line in tests/permission-matrix-table.ts. Say there who may make it.`,
    )
  return line
}

type Fetch = (path: string, init: RequestInit) => Response | Promise<Response>

async function ask(
  world: World,
  fetch: Fetch,
  call: AddressBookEntry,
  kind: ActorKind,
  sample: Sample,
): Promise<number> {
  const token = await world.tokenOf(kind)
  await world.app.services.db.deleteFrom('throttle_windows').execute()
  return statusOf(fetch, call, sample, token)
}

async function statusOf(fetch: Fetch, call: AddressBookEntry, sample: Sample, token: string | null): Promise<number> {
  const { path, init } = requestOf(call.endpoint, sample)
  const headers = { ...(init.headers as Record<string, string>), ...(token && { authorization: `Bearer ${token}` }) }
  const response = await fetch(path, { ...init, headers })
  // The stream of happenings never ends by itself.
  if (response.headers.get('content-type')?.startsWith('text/event-stream')) await response.body?.cancel()
  else await response.text()
  return response.status
}

it('every call has its line, and every line its call', () => {
  const book = addressBook().map(nameOf)
  const missing = addressBook().filter((call) => !permissionTable[nameOf(call)])
  for (const call of missing) lineFor(call)
  expect(Object.keys(permissionTable).filter((name) => !book.includes(name))).toEqual([])
})

describe.each(engines)('the permission matrix, on %s', (engine) => {
  let world: World
  let cells = 0
  beforeAll(async () => {
    world = await makeWorld(engine)
  })
  afterAll(() => world.app.close())
  const hash = () => databaseHash(world.app.services.db, ['throttle_windows'])

  it.each(addressBook().map((call) => [nameOf(call), call] as const))('%s', async (_, call) => {
    const line = lineFor(call)
    const wrong: (string | undefined)[] = []
    const refused = actorKinds.filter((kind) => expectedFor(line, kind) >= 400)
    const sample = await line.sample(world)
    const tokens = new Map<ActorKind, string | null>()
    for (const kind of refused) tokens.set(kind, await world.tokenOf(kind))
    await world.app.services.db.deleteFrom('throttle_windows').execute()
    const before = await hash()
    for (const kind of refused) {
      wrong.push(wrongIn(call, line, kind, await statusOf(world.app.fetch, call, sample, tokens.get(kind) ?? null)))
      cells++
    }
    if ((await hash()) !== before) wrong.push(`${nameOf(call)} changed the database for somebody it refused`)
    for (const kind of actorKinds.filter((candidate) => !refused.includes(candidate))) {
      wrong.push(wrongIn(call, line, kind, await ask(world, world.app.fetch, call, kind, await line.sample(world))))
      cells++
    }
    await world.strangersAgain()
    expect(wrong.filter(Boolean)).toEqual([])
  })

  it('every cell was tried', () => {
    expect(cells).toBe(addressBook().length * actorKinds.length)
    expect(actorKinds).toHaveLength(17)
  })

  /** The same server with the door of one call opened one step wider. */
  const opened = (call: AddressBookEntry, access: Access): Fetch => {
    // The others of its address come along: they are told apart by what is sent.
    const calls = servedCalls(world.app.services)
      .filter(({ endpoint }) => endpoint.method === call.endpoint.method && endpoint.path === call.endpoint.path)
      .map((served) =>
        served.area === call.area && served.name === call.name
          ? { ...served, endpoint: { ...served.endpoint, access } }
          : served,
      )
    const router = createRouter(world.app.services, calls)
    return (path, init) => {
      const headers = new Headers(init.headers)
      headers.set('host', 'localhost')
      return router.request(`http://localhost${path}`, { ...init, headers })
    }
  }

  it('would notice if the check of any one call were removed', async () => {
    const guarded = addressBook().filter(({ endpoint }) => endpoint.access !== 'public')
    const unnoticed: string[] = []
    for (const call of guarded) {
      const line = lineFor(call)
      const mutants: [Access, ActorKind][] = [
        ['public', 'visitor'],
        ['public', 'dead token'],
      ]
      if (call.endpoint.access !== 'person') mutants.push(['person', 'stranger'])
      for (const [access, kind] of mutants) {
        const status = await ask(world, opened(call, access), call, kind, await line.sample(world))
        if (!wrongIn(call, line, kind, status))
          unnoticed.push(`${nameOf(call)} as ${JSON.stringify(access)} for ${kind}`)
      }
    }
    expect(unnoticed).toEqual([])
    expect(guarded.length).toBeGreaterThan(20)
    // As long as the address book.
  }, 120_000)

  const refusedToSome = Object.entries(domainDeeds).filter(([, may]) =>
    memberRoles.some((role) => !(may as readonly string[]).includes(role)),
  )
  it.each(refusedToSome.map(([deed]) => deed))(
    'and if every member could do what a role is needed for: %s',
    async (deed) => {
      const table = domainDeeds as Record<string, readonly DomainRole[]>
      const right = table[deed] ?? []
      table[deed] = ['owner', ...memberRoles]
      try {
        for (const call of addressBook().filter((each) => lineFor(each).members)) {
          const line = lineFor(call)
          for (const kind of memberKinds.filter((each) => expectedFor(line, each) === 403)) {
            const status = await ask(world, world.app.fetch, call, kind, await line.sample(world))
            if (wrongIn(call, line, kind, status)) return
          }
        }
        expect.fail(`Nothing noticed that every member may ${deed}`)
      } finally {
        table[deed] = right
      }
    },
  )

  it('and if a permission were another one', async () => {
    for (const call of addressBook().filter(({ endpoint }) => typeof endpoint.access === 'object')) {
      const line = lineFor(call)
      const status = await ask(
        world,
        opened(call, { permission: 'view_logs' }),
        call,
        'support',
        await line.sample(world),
      )
      expect(wrongIn(call, line, 'support', status)).toEqual(expect.stringContaining('support'))
    }
  })
})
