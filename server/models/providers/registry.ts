import { getProviderName } from '#contract/providers/registry.ts'
import { anthropic } from './anthropic/provider.ts'
import { createCompatible } from './compatible/provider.ts'
import { elevenlabs } from './elevenlabs/provider.ts'
import { google } from './google/provider.ts'
import { openai } from './openai/provider.ts'
import type { ProviderDefinition } from './provider.ts'
import { together } from './together/provider.ts'

export const builtInProviders: readonly ProviderDefinition[] = [openai, anthropic, together, elevenlabs, google]

export function getProvider(id: string): ProviderDefinition {
  return builtInProviders.find((provider) => provider.id === id) ?? createCompatible(id, getProviderName(id))
}
