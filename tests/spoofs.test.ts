import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { listEndpoints } from '#contract/index.ts'
import { engines } from './engines.ts'
import { type Fetch, getCallName } from './permission-matrix-cells.ts'
import { createTwins, findSpoofDifference, type SpoofName, spoofs, type Twins } from './spoofs.ts'

const spoofNames = Object.keys(spoofs) as SpoofName[]
const allSpoofs = process.env.KEEPER_SPOOFS === 'all'
const allKinds = ['visitor', 'stranger', 'domain admin', 'domain connection', 'support', 'super-admin'] as const
const closeTwins = (twins: Twins) => Promise.all([twins.honest.app.close(), twins.spoofed.app.close()])

describe.each(engines.slice(0, 1))("spoofing Ada's identity, on %s", (engine) => {
  let twins: Twins
  beforeAll(async () => {
    twins = await createTwins(engine)
  }, 60_000)
  afterAll(() => closeTwins(twins))

  it(
    'changes no response and no row, on any endpoint',
    async () => {
      const different: (string | undefined)[] = []
      // By default, every second endpoint is tried with one spoof: the actor is resolved before any handler runs.
      // KEEPER_SPOOFS=all tries all spoofs as all kinds of actor.
      for (const [index, call] of listEndpoints().entries()) {
        if (!allSpoofs && Math.floor(index / spoofNames.length) % 2 !== index % 2) continue
        for (const spoofName of allSpoofs
          ? spoofNames
          : spoofNames.slice(index % spoofNames.length, (index % spoofNames.length) + 1))
          for (const kind of allSpoofs ? allKinds : (['stranger'] as const))
            different.push(await findSpoofDifference(twins, call, kind, spoofName))
      }
      if (allSpoofs)
        process.stdout.write(`compared ${different.length}, different ${different.filter(Boolean).length}\n`)
      expect(different.filter(Boolean)).toEqual([])
    },
    allSpoofs ? 7_200_000 : 300_000,
  )

  // Runs last because it makes the twins diverge.
  it.each(spoofNames)('is detected on a server that trusts the %s', async (spoofName) => {
    const callName = spoofName.startsWith('body') ? 'agents.create' : 'agents.stats'
    const call = listEndpoints().find((candidate) => getCallName(candidate) === callName)
    if (!call) throw new Error(`${callName} is missing`)
    twins.resetIds(`sessions ${spoofName}`)
    await twins.honest.createToken('owner')
    const token = await twins.spoofed.createToken('owner')
    const trustingFetch: Fetch = (path, init) => {
      const requestText = `${path} ${init.body} ${JSON.stringify(init.headers)}`
      const headers = init.headers as Record<string, string>
      const trustedHeaders = requestText.includes(twins.spoofed.adaId)
        ? { ...headers, authorization: `Bearer ${token}` }
        : headers
      return twins.spoofed.app.fetch(path, { ...init, headers: trustedHeaders })
    }
    expect(await findSpoofDifference(twins, call, 'visitor', spoofName, trustingFetch)).toContain('401 becomes 200')
  })
})
