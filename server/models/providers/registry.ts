import { anthropic } from './anthropic/provider.ts'
import { elevenlabs } from './elevenlabs/provider.ts'
import { google } from './google/provider.ts'
import { openai } from './openai/provider.ts'
import type { ProviderDefinition } from './provider.ts'
import { together } from './together/provider.ts'

/** One line for each provider that comes with Keeper. */
export const builtInProviders: readonly ProviderDefinition[] = [openai, anthropic, together, elevenlabs, google]

/** @throws Error for an id that is none */
export function getProvider(id: string): ProviderDefinition {
  const provider = builtInProviders.find((one) => one.id === id)
  if (!provider) throw new Error(`There is no provider ${id}`)
  return provider
}
