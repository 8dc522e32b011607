export const fakeProviders = ['openai', 'anthropic', 'together', 'elevenlabs'] as const
export type FakeProvider = (typeof fakeProviders)[number]
