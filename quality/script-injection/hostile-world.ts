import { fakeProviders } from '../../tests/fake-providers.ts'
import { startProviderFake } from '../../tests/fakes/model-providers/start-provider-fake.ts'
import { createPermissionWorld, type PermissionWorld } from '../../tests/permission-matrix-world.ts'

export interface HostileWorld {
  world: PermissionWorld
  setAnswer(text: string): void
  close(): Promise<void>
}

const hosts = {
  openai: 'api.openai.com',
  anthropic: 'api.anthropic.com',
  together: 'api.together',
  elevenlabs: 'api.elevenlabs',
}

export async function createHostileWorld(): Promise<HostileWorld> {
  let answerText = 'Nothing yet.'
  const fakes = await Promise.all(
    fakeProviders.map((provider) => startProviderFake({ provider, keyless: true, answer: () => answerText })),
  )
  const world = await createPermissionWorld('sqlite', {
    fetch: (url, init) => {
      const { hostname, pathname, search } = new URL(String(url))
      const index = fakeProviders.findIndex((provider) => hostname.startsWith(hosts[provider]))
      return fetch(`${fakes[index]?.url}${pathname}${search}`, init)
    },
  })
  await world.app.as('ada', ['super-admin'])
  await world.savePersonalKey()
  const [keeperId, typeId, lead, domainId, sharedId] = [
    await world.createKeeper(),
    await world.createKeeperType(),
    await world.createPrivateLead(),
    await world.createDomain(),
    await world.createSharedAgent(),
  ]
  Object.assign(world, {
    createKeeper: async () => keeperId,
    createKeeperType: async () => typeId,
    createPrivateAgent: async () => lead.id,
    createPrivateLead: async () => lead,
    createDomain: async () => domainId,
    createSharedAgent: async () => sharedId,
  } satisfies Partial<PermissionWorld>)
  return {
    world,
    setAnswer(text) {
      answerText = text
    },
    async close() {
      await world.app.close()
      await Promise.all(fakes.map((fake) => fake.close()))
    },
  }
}
