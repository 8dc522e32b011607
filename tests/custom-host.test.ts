import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type AddressBookEntry, addressBook } from '#contract/index.ts'
import { engines } from './engines.ts'
import { permissionTable } from './permission-matrix-table.ts'
import { actorKinds, makeWorld, type World } from './permission-matrix-world.ts'
import { requestOf } from './test-app.ts'
import { databaseHash } from './whole-database.ts'

const host = 'memories.example.org'
const nameOf = ({ area, name }: AddressBookEntry) => `${area}.${name}`

/** Written by hand: the calls that a visitor's chat with the domain's agent needs. */
const allowed = [
  'customDomains.site',
  'agents.bySlug',
  'agents.sessions',
  'agents.messages',
  'agents.run',
  'agents.createSession',
  'runs.stream',
  'runs.stop',
  'runs.audio',
  'chat.rename',
  'chat.remove',
  'chat.showBranch',
]

describe.each(engines)('a custom host on %s', (engine) => {
  let world: World
  let requests: { call: AddressBookEntry; path: string; init: RequestInit }[]
  beforeAll(async () => {
    world = await makeWorld(engine)
    const { db, customHosts } = world.app.services
    requests = []
    for (const call of addressBook()) {
      const sample = await permissionTable[nameOf(call)]?.sample(world)
      requests.push({ call, ...requestOf(call.endpoint, sample) })
    }
    const { id } = await db
      .selectFrom('domains')
      .select('id')
      .where('owner_id', '=', world.adaId)
      .limit(1)
      .executeTakeFirstOrThrow()
    await db
      .updateTable('domains')
      .set({ custom_domain: host, custom_domain_verified: true })
      .where('id', '=', id)
      .execute()
    await customHosts.load(db)
  })
  afterAll(() => world.app.close())

  const hash = () => databaseHash(world.app.services.db)
  const answersTo = async (asked: typeof requests, token: string | null) => {
    const wrong: string[] = []
    for (const { call, path, init } of asked) {
      const headers = { ...(init.headers as object), host, ...(token && { authorization: `Bearer ${token}` }) }
      const { status } = await world.app.fetch(path, { ...init, headers })
      if (status !== 421) wrong.push(`${nameOf(call)} answers ${status}`)
    }
    return wrong
  }

  it('answers 421 to every call the agent chat does not need, without effect', async () => {
    const others = requests.filter(({ call }) => !allowed.includes(nameOf(call)))
    expect(others.length).toBe(addressBook().length - allowed.length)
    const before = await hash()
    expect(await answersTo(others, null)).toEqual([])
    expect(await hash()).toBe(before)
  })

  it.each(actorKinds.filter((kind) => kind !== 'visitor'))(
    'answers 421 to every call with the token of %s, without effect',
    async (kind) => {
      const token = await world.tokenOf(kind)
      const before = await hash()
      expect(await answersTo(requests, token)).toEqual([])
      expect(await hash()).toBe(before)
    },
  )

  it('the same requests succeed on the main host', async () => {
    const token = await world.tokenOf('owner')
    const refused: string[] = []
    for (const { call, path, init } of requests.filter(({ init }) => init.method === 'GET')) {
      const headers = { ...(init.headers as object), authorization: `Bearer ${token}` }
      const response = await world.app.fetch(path, { ...init, headers })
      // This stream never ends on its own.
      if (response.headers.get('content-type')?.startsWith('text/event-stream')) await response.body?.cancel()
      else await response.text()
      if (response.status === 421) refused.push(nameOf(call))
    }
    expect(refused).toEqual([])
  }, 60_000)
})
