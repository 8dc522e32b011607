import { builtInProviders } from '#contract/providers/registry.ts'
import { Problem } from '#server/http/problem.ts'
import type { Services } from '#server/services.ts'
import type { ProviderSettings } from '#server/settings/settings.ts'

type ServiceLookup = Pick<Services, 'settings' | 'modelServices'>
type ProviderCallSettings = ProviderSettings & { headers: Record<string, string> }

export function getProviderSettings(services: ServiceLookup, id: string): ProviderCallSettings {
  return findProviderSettings(services, id) ?? { key: null, baseUrl: null, headers: {} }
}

/** @throws Problem `conflict` if the provider is no longer set up, or its headers can't be opened */
export function requireProviderSettings(services: ServiceLookup, id: string): ProviderCallSettings {
  const settings = findProviderSettings(services, id)
  if (!settings) throw new Problem('conflict', { message: `${formatMissingProvider(id)} ${missingProviderAdvice}` })
  const problem = services.modelServices.find(id)?.problem
  if (problem) throw new Problem('conflict', { message: problem })
  return settings
}

export const formatMissingProvider = (id: string) => `The model service “${id}” is no longer set up on this server.`
export const missingProviderAdvice = 'Choose another model provider, or ask an administrator to add the service again.'

export function findProviderSettings(
  { settings, modelServices }: ServiceLookup,
  id: string,
): ProviderCallSettings | undefined {
  const builtIn = builtInProviders.find((provider) => provider.id === id)
  return builtIn ? { ...settings.providers[builtIn.id], headers: {} } : modelServices.find(id)
}
