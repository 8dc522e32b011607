import { setTimeout } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type EndpointEntry, listEndpoints } from '#contract/index.ts'
import { computeDatabaseHash } from './dump-database.ts'
import { engines } from './engines.ts'
import { getCallName } from './permission-matrix-cells.ts'
import { permissionTable } from './permission-matrix-table.ts'
import { actorKinds, createPermissionWorld, type PermissionWorld } from './permission-matrix-world.ts'
import { toRequest } from './test-app.ts'

const host = 'memories.example.org'
const maxAnswerMs = 20_000

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

/** Every host answers these, because they only tell a load balancer whether this process is alive. */
const probes = ['diagnostics.ping', 'diagnostics.health']

// The calls of a host are checked before any query, so one engine suffices.
describe.each(engines.slice(0, 1))('a custom host on %s', (engine) => {
  let world: PermissionWorld
  let requests: { call: EndpointEntry; path: string; init: RequestInit }[]
  beforeAll(async () => {
    world = await createPermissionWorld(engine)
    const { db, customHosts } = world.app.services
    requests = []
    for (const call of listEndpoints()) {
      const sample = await permissionTable[getCallName(call)]?.sample(world)
      requests.push({ call, ...toRequest(call.endpoint, sample) })
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

  const hashDatabase = () => computeDatabaseHash(world.app.services.db)
  const findUnexpectedAnswers = async (requestsToSend: typeof requests, token: string | null) => {
    const unexpected: string[] = []
    for (const { call, path, init } of requestsToSend) {
      const headers = { ...(init.headers as object), host, ...(token && { authorization: `Bearer ${token}` }) }
      const { status } = await world.app.fetch(path, { ...init, headers })
      if (status !== 421 && !probes.includes(getCallName(call)))
        unexpected.push(`${getCallName(call)} answers ${status}`)
    }
    return unexpected
  }

  it('answers 421 to every call the agent chat does not need, without effect', async () => {
    const disallowedRequests = requests.filter(({ call }) => !allowed.includes(getCallName(call)))
    expect(disallowedRequests.length).toBe(listEndpoints().length - allowed.length)
    const previousHash = await hashDatabase()
    expect(await findUnexpectedAnswers(disallowedRequests, null)).toEqual([])
    expect(await hashDatabase()).toBe(previousHash)
  })

  it.each(actorKinds.filter((kind) => kind !== 'visitor'))(
    'answers 421 to every call with the token of %s, without effect',
    async (kind) => {
      const token = await world.createToken(kind)
      const previousHash = await hashDatabase()
      expect(await findUnexpectedAnswers(requests, token)).toEqual([])
      expect(await hashDatabase()).toBe(previousHash)
    },
  )

  it('the same requests succeed on the main host', async () => {
    const token = await world.createToken('owner')
    const refused: string[] = []
    for (const { call, path, init } of requests.filter(({ init }) => init.method === 'GET')) {
      const headers = { ...(init.headers as object), authorization: `Bearer ${token}` }
      const requestStatus = async () => {
        const response = await world.app.fetch(path, { ...init, headers })
        // This stream never ends on its own.
        if (response.headers.get('content-type')?.startsWith('text/event-stream')) await response.body?.cancel()
        else await response.text()
        return response.status
      }
      const timeout = setTimeout(maxAnswerMs, 'no answer', { ref: false })
      const status = await Promise.race([requestStatus(), timeout])
      if (typeof status !== 'number' || status === 421) refused.push(`${getCallName(call)}: ${status}`)
    }
    expect(refused).toEqual([])
  }, 60_000)
})
