import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addressBook } from '#contract/index.ts'
import { engines } from './engines.ts'
import { type Fetch, nameOf } from './permission-matrix-cells.ts'
import { differenceBySpoof, makeTwins, type SpoofName, spoofs, type Twins } from './spoofs.ts'

const ways = Object.keys(spoofs) as SpoofName[]
const everyWay = process.env.KEEPER_SPOOFS === 'all'
const allKinds = ['visitor', 'stranger', 'domain admin', 'domain connection', 'support', 'super-admin'] as const
const end = (twins: Twins) => Promise.all([twins.honest.app.close(), twins.spoofed.app.close()])

describe.each(engines)("spoofing Ada's identity, on %s", (engine) => {
  let twins: Twins
  beforeAll(async () => {
    twins = await makeTwins(engine)
  }, 60_000)
  afterAll(() => end(twins))

  it(
    'gives the same bytes and rows as without, on every call',
    async () => {
      const different: (string | undefined)[] = []
      // Each call is tried one way, on PostgreSQL every fourth call: the actor is decided before the handler runs.
      // KEEPER_SPOOFS=all tries everything.
      for (const [index, call] of addressBook().entries()) {
        if (!everyWay && engine === 'postgres' && Math.floor(index / ways.length) % 4 !== index % 4) continue
        for (const way of everyWay ? ways : ways.slice(index % ways.length, (index % ways.length) + 1))
          for (const kind of everyWay ? allKinds : (['stranger'] as const))
            different.push(await differenceBySpoof(twins, call, kind, way))
      }
      if (everyWay)
        process.stdout.write(`compared ${different.length}, different ${different.filter(Boolean).length}\n`)
      expect(different.filter(Boolean)).toEqual([])
    },
    everyWay ? 7_200_000 : 300_000,
  )

  if (engine !== 'sqlite') return
  // Runs last because it makes the twins diverge.
  it.each(ways)('is detected on a server that trusts the %s', async (way) => {
    const wanted = way.startsWith('body') ? 'agents.create' : 'agents.stats'
    const call = addressBook().find((each) => nameOf(each) === wanted)
    if (!call) throw new Error(`${wanted} is missing`)
    twins.inStep(`sessions ${way}`)
    await twins.honest.tokenOf('owner')
    const token = await twins.spoofed.tokenOf('owner')
    const believing: Fetch = (path, init) => {
      const said = `${path} ${init.body} ${JSON.stringify(init.headers)}`
      const headers = init.headers as Record<string, string>
      const believed = said.includes(twins.spoofed.adaId) ? { ...headers, authorization: `Bearer ${token}` } : headers
      return twins.spoofed.app.fetch(path, { ...init, headers: believed })
    }
    expect(await differenceBySpoof(twins, call, 'visitor', way, believing)).toContain('401 becomes 200')
  })
})
