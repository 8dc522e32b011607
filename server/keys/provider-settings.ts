import { builtInProviders } from '#contract/providers/registry.ts'
import type { ProviderSettings, Settings } from '#server/settings.ts'

/** The address, the key and the headers that the operator set for a provider. */
export function getProviderSettings(
  settings: Pick<Settings, 'providers' | 'services'>,
  id: string,
): ProviderSettings & { headers: Record<string, string> } {
  const service = settings.services.find((one) => one.id === id)
  if (service) return service
  const builtIn = builtInProviders.find((one) => one.id === id)
  return { ...(builtIn ? settings.providers[builtIn.id] : { key: null, baseUrl: null }), headers: {} }
}
