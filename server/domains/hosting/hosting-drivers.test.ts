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

  it.each(hostingCases.map((item) => [item.name, item] as const))('%s', async (_, item) => {
    await start()
    const host = item.apex ? 'willowbrook.com' : 'memories.willowbrook.com'
    item.beforeAdd?.(world, host)
    const refused = item.refused?.[driverName] ?? null
    let name = named(host)
    if (refused === null) name = await attached(host)
    else
      await expect(world.driver.attach(name)).rejects.toSatisfy(
        (error) => error instanceof HostingFailure && error.errorCode === refused,
      )
    item.afterAdd?.(world, host, (await world.driver.status(name)).records)
    const { states, ...visible } = item.shows[driverName]
    const status = await world.driver.status(name)
    expect(status).toMatchObject(visible)
    expect(status.error === null).toBe(visible.errorCode === null)
    for (const [type, state] of Object.entries(states ?? {}))
      expect(status.records).toContainEqual(expect.objectContaining({ type, state }))
    expect(status.conflicts).toHaveLength(item.conflicts?.length ?? 0)
    item.conflicts?.forEach((message, index) => void expect(status.conflicts[index]).toMatch(message))

    const verified = await world.driver.verify(name)
    expect(verified.verified && verified.configured && verified.errorCode === null).toBe(item.verifies[driverName])
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
    world.applyRecords((await world.driver.status(name)).records)
    expect((await world.driver.verify(name)).verified).toBe(true)
    expect((await world.driver.verify({ ...name, token: 'ffffffffffffffffffff' })).verified).toBe(false)
    expect((await world.driver.verify({ ...name, token: '' })).verified).toBe(false)
  })
})
