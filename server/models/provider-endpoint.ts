import type { Provider } from '#contract/agents/model-settings.ts'
import { trimEndOf } from '#contract/trim-end-of.ts'
import type { Credential } from './model-request.ts'

/** The providers' own hosts, named here so that the SDKs never fall back to an environment variable of their own. */
const ownBaseUrls: Record<Provider, string> = {
  openai: 'https://api.openai.com/v1',
  anthropic: 'https://api.anthropic.com/v1',
  together: 'https://api.together.xyz/v1',
  elevenlabs: 'https://api.elevenlabs.io/v1',
}

/** The address calls are made under, version path included, without a slash at the end. */
export function baseUrlOf(provider: Provider, { baseUrl }: Credential): string {
  return trimEndOf(baseUrl ?? ownBaseUrls[provider], /\//)
}

/** The header that carries the key. */
export function authorizationHeaders(provider: Provider, { key }: Credential): Record<string, string> {
  if (key === null) return provider === 'anthropic' ? { 'anthropic-version': '2023-06-01' } : {}
  if (provider === 'anthropic') return { 'x-api-key': key, 'anthropic-version': '2023-06-01' }
  if (provider === 'elevenlabs') return { 'xi-api-key': key }
  return { authorization: `Bearer ${key}` }
}
