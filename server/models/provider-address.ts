import { createHash } from 'node:crypto'
import { trimEndOf } from '#contract/trim-end-of.ts'
import type { Credential } from './model-request.ts'
import type { ProviderDefinition } from './providers/provider.ts'

/** The address calls are made under, version path included, without a slash at the end. */
export function getBaseUrl(
  { baseUrl: ownAddress }: Pick<ProviderDefinition, 'baseUrl'>,
  { baseUrl }: Pick<Credential, 'baseUrl'>,
): string {
  return trimEndOf(baseUrl ?? ownAddress ?? '', /\//)
}

/** Whether calls go to the provider itself and not to a server that speaks like it. */
export function isOwnAddress(
  provider: Pick<ProviderDefinition, 'baseUrl'>,
  credential: Pick<Credential, 'baseUrl'>,
): boolean {
  const url = getBaseUrl(provider, credential)
  return provider.baseUrl !== null && URL.parse(url)?.host === URL.parse(provider.baseUrl)?.host
}

/** The address of a call: its path goes before the query of the base address, such as Azure's `?api-version=…`. */
export function toCallUrl(provider: ProviderDefinition, credential: Credential, path: string): string {
  const [base = '', ...query] = getBaseUrl(provider, credential).split('?')
  if (query.length === 0) return base + path
  return `${trimEndOf(base, /\//)}${path}${path.includes('?') ? '&' : '?'}${query.join('?')}`
}

/** A cache key for a model at an address; hashed because the address can contain a secret. */
export function toModelKey(baseUrl: string, model: string): string {
  return createHash('sha256').update(`${baseUrl}\n${model}`).digest('base64url')
}
