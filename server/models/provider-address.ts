import { createHash } from 'node:crypto'
import { trimEndMatching } from '#contract/linear-text.ts'
import type { Credential } from './model-request.ts'
import type { ProviderDefinition } from './providers/provider.ts'

export function getBaseUrl(
  { baseUrl: providerUrl }: Pick<ProviderDefinition, 'baseUrl'>,
  { baseUrl }: Pick<Credential, 'baseUrl'>,
): string {
  return trimEndMatching(baseUrl ?? providerUrl ?? '', /\//)
}

export function hasDefaultHost(
  provider: Pick<ProviderDefinition, 'baseUrl'>,
  credential: Pick<Credential, 'baseUrl'>,
): boolean {
  const url = getBaseUrl(provider, credential)
  return provider.baseUrl !== null && URL.parse(url)?.host === URL.parse(provider.baseUrl)?.host
}

/** The path goes before the base address's query, such as Azure's `?api-version=…`. */
export function toCallUrl(provider: ProviderDefinition, credential: Credential, path: string): string {
  const [base = '', ...query] = getBaseUrl(provider, credential).split('?')
  if (query.length === 0) return base + path
  return `${trimEndMatching(base, /\//)}${path}${path.includes('?') ? '&' : '?'}${query.join('?')}`
}

/** Hashed, because the address can contain a secret. */
export function toModelKey(baseUrl: string, model: string): string {
  return createHash('sha256').update(`${baseUrl}\n${model}`).digest('base64url')
}
