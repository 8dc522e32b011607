import type { Provider } from '../agents/model-settings.ts'
import { getProviderInfo, type KeyFormat, unknownKeyFormat } from '../providers/registry.ts'

/** With `hasCustomAddress`, another server is called, whose keys have a different format. */
function getKeyFormat(provider: string, hasCustomAddress: boolean): KeyFormat {
  return hasCustomAddress ? unknownKeyFormat : getProviderInfo(provider).key
}

/** Header values allow nothing else. */
const isSendableKey = (key: string) => /^[\x21-\x7e]+$/.test(key)

export function isKeyFormatValid(provider: string, key: string, hasCustomAddress: boolean): boolean {
  const trimmed = key.trim()
  const keyFormat = getKeyFormat(provider, hasCustomAddress)
  return trimmed.startsWith(keyFormat.startsWith) && trimmed.length > keyFormat.longerThan && isSendableKey(trimmed)
}

export function describeExpectedFormat(provider: Provider, hasCustomAddress: boolean): string {
  return `Expected format: ${getKeyFormat(provider, hasCustomAddress).format}`
}

export function describeInvalidFormat(provider: Provider, key: string, hasCustomAddress: boolean): string {
  const hint = isSendableKey(key.trim()) ? '' : ', without spaces or special characters'
  return `Invalid format. ${describeExpectedFormat(provider, hasCustomAddress)}${hint}`
}
