/** The providers that have a faithful fake each (tests/fakes/model-providers). */
export const fakeProviders = ['openai', 'anthropic', 'together', 'elevenlabs'] as const
export type FakeProvider = (typeof fakeProviders)[number]
