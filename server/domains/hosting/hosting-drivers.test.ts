import { afterEach, describe, expect, it } from 'vitest'
import { hostingCases } from '#tests/hosting-cases.ts'
import { type HostingWorld, hostingWorlds } from '#tests/hosting-world.ts'
import { type HostedName, HostingFailure } from './hosting-driver.ts'

const token = '0123456789abcdef0123'

describe.each(['vercel', 'dns'] as const)('the driver %s', (driverName) => {
  let world: HostingWorld
  const start = async () => {
    world = await hostingWorlds[driverName]()
    return world
  }
  afterEach(() => world.close())
  const named = (hostname: string): HostedName => ({ hostname, token, attachedAt: null })
  const attached = async (hostname: string): Promise<HostedName> => {
    await world.driver.attach(named(hostname))
    return { hostname, token, attachedAt: 1 }
  }

  it.each(hostingCases.map((each) => [each.name, each] as const))('%s', async (_, each) => {
    await start()
    const host = each.apex ? 'willowbrook.com' : 'memories.willowbrook.com'
    each.before?.(world, host)
    const refused = each.refused?.[driverName] ?? null
    let name = named(host)
    if (refused === null) name = await attached(host)
    else
      await expect(world.driver.attach(name)).rejects.toSatisfy(
        (error) => error instanceof HostingFailure && error.errorCode === refused,
      )
    each.after?.(world, host, (await world.driver.status(name)).records)
    const { states, ...shown } = each.shows[driverName]
    const status = await world.driver.status(name)
    expect(status).toMatchObject(shown)
    expect(status.error === null).toBe(shown.errorCode === null)
    for (const [type, state] of Object.entries(states ?? {}))
      expect(status.records).toContainEqual(expect.objectContaining({ type, state }))
    expect(status.conflicts).toHaveLength(each.conflicts?.length ?? 0)
    each.conflicts?.forEach((words, index) => void expect(status.conflicts[index]).toMatch(words))

    const verified = await world.driver.verify(name)
    expect(verified.verified && verified.configured && verified.errorCode === null).toBe(each.verifies[driverName])
  })

  it('a name that was never added is unattached, without an error', async () => {
    await start()
    const status = await world.driver.status(named('memories.willowbrook.com'))
    expect(status).toMatchObject({ attached: false, configured: false, verified: false, error: null, errorCode: null })
    expect(status.records).toEqual([])
  })

  it('adding and removing are idempotent', async () => {
    await start()
    const name = await attached('memories.willowbrook.com')
    await world.driver.attach(name)
    expect((await world.driver.status(name)).attached).toBe(true)
    await world.driver.detach(name)
    await world.driver.detach(name)
  })

  it("a record with another claim's token proves nothing", async () => {
    await start()
    const name = { ...(await attached('memories.willowbrook.com')), contested: true }
    world.obey((await world.driver.status(name)).records)
    expect((await world.driver.verify(name)).verified).toBe(true)
    expect((await world.driver.verify({ ...name, token: 'ffffffffffffffffffff' })).verified).toBe(false)
    expect((await world.driver.verify({ ...name, token: '' })).verified).toBe(false)
  })
})
