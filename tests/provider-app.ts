import { keys } from '#contract/keys/keys.ts'
import type { Engine } from '#server/db/database.ts'
import type { FakeProvider } from '#tests/fake-providers.ts'
import { fakeProviders } from '#tests/fake-providers.ts'
import { type FakeOptions, type ProviderFake, startProviderFake } from './fakes/model-providers/start-provider-fake.ts'
import { type Actor, createTestApp, type TestApp } from './test-app.ts'

/** Well-formed keys that every fake accepts, easy to find where they must not appear. */
export const canaryKeys: Record<FakeProvider, string> = {
  openai: 'sk-canary0personal0openai0Zq81',
  anthropic: 'sk-ant-canary0personal0anthropic0Zq82',
  together: 'canary0personal0together0Zq83',
  elevenlabs: 'canary0personal0elevenlabs0Zq84',
}
export const canaryPlatformKeys: Record<FakeProvider, string> = {
  openai: 'sk-canary0platform0openai0Yw91',
  anthropic: 'sk-ant-canary0platform0anthropic0Yw92',
  together: 'canary0platform0together0Yw93',
  elevenlabs: 'canary0platform0elevenlabs0Yw94',
}

export async function saveKeys(actor: Actor, ...providers: FakeProvider[]): Promise<void> {
  for (const provider of providers)
    await actor.call(keys.savePersonal, { body: { provider, apiKey: canaryKeys[provider] } })
}

export interface ProviderApp extends TestApp {
  fakes: Record<FakeProvider, ProviderFake>
  /** Total requests of all fakes. */
  providerRequestCount(): number
}

/** A test app with local provider fakes. Waits between retries take no time. */
export async function createProviderApp(
  engine: Engine,
  options: Partial<FakeOptions> = {},
  environment: Record<string, string> = {},
): Promise<ProviderApp> {
  const [openai, anthropic, together, elevenlabs] = await Promise.all(
    fakeProviders.map((provider) => startProviderFake({ ...options, provider })),
  )
  if (!openai || !anthropic || !together || !elevenlabs) throw new Error('a fake failed to start')
  const fakes = { openai, anthropic, together, elevenlabs }
  const app = await createTestApp(engine, {
    environment: {
      OPENAI_BASE_URL: openai.baseUrl,
      ANTHROPIC_BASE_URL: anthropic.baseUrl,
      TOGETHER_BASE_URL: together.baseUrl,
      ELEVENLABS_BASE_URL: elevenlabs.baseUrl,
      ...environment,
    },
    modelRuntime: { sleep: async () => {}, random: () => 0.5 },
  })
  return {
    ...app,
    fakes,
    providerRequestCount: () => Object.values(fakes).reduce((total, fake) => total + fake.requests.length, 0),
    async close() {
      await app.close()
      await Promise.all(Object.values(fakes).map((fake) => fake.close()))
    },
  }
}
