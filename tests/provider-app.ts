import type { Provider } from '#contract/agents/model-settings.ts'
import type { Engine } from '#server/db/database.ts'
import { type FakeOptions, type ProviderFake, startProviderFake } from './fakes/model-providers/start-provider-fake.ts'
import { type TestApp, testApp } from './test-app.ts'

type Chat = Exclude<Provider, 'elevenlabs'>

/** Keys that every fake takes, of the right form, and easy to find again where they must not be. */
export const canaryKeys: Record<Chat, string> = {
  openai: 'sk-canary0personal0openai0Zq81',
  anthropic: 'sk-ant-canary0personal0anthropic0Zq82',
  together: 'canary0personal0together0Zq83',
}
export const canaryPlatformKeys: Record<Chat, string> = {
  openai: 'sk-canary0platform0openai0Yw91',
  anthropic: 'sk-ant-canary0platform0anthropic0Yw92',
  together: 'canary0platform0together0Yw93',
}

export interface ProviderApp extends TestApp {
  fakes: Record<Chat, ProviderFake>
  /** Requests of every fake together. */
  requestCount(): number
}

/** A test app whose providers are fakes on this machine. Waits between retries take no time. */
export async function providerApp(
  engine: Engine,
  options: Partial<FakeOptions> = {},
  environment: Record<string, string> = {},
): Promise<ProviderApp> {
  const [openai, anthropic, together] = await Promise.all(
    (['openai', 'anthropic', 'together'] as const).map((provider) => startProviderFake({ ...options, provider })),
  )
  if (!openai || !anthropic || !together) throw new Error('a fake did not start')
  const fakes = { openai, anthropic, together }
  const app = await testApp(engine, {
    environment: {
      OPENAI_BASE_URL: openai.baseUrl,
      ANTHROPIC_BASE_URL: anthropic.baseUrl,
      TOGETHER_BASE_URL: together.baseUrl,
      ...environment,
    },
    modelRuntime: { sleep: async () => {}, random: () => 0.5 },
  })
  return {
    ...app,
    fakes,
    requestCount: () => Object.values(fakes).reduce((sum, fake) => sum + fake.requests.length, 0),
    async close() {
      await app.close()
      await Promise.all(Object.values(fakes).map((fake) => fake.close()))
    },
  }
}
