import type { Provider } from '../agents/model-settings.ts'
import type { KeyFormat } from '../providers/provider-info.ts'
import { getProviderInfo, unknownKeyFormat } from '../providers/registry.ts'

/** With `customAddress`, another server is called, whose keys have a different format. */
function getKeyFormat(provider: string, customAddress: boolean): KeyFormat {
  return customAddress ? unknownKeyFormat : getProviderInfo(provider).key
}

/** Header values allow nothing else. */
const isSendable = (key: string) => /^[\x21-\x7e]+$/.test(key)

export function isKeyFormatValid(provider: string, key: string, customAddress: boolean): boolean {
  const trimmed = key.trim()
  const keyFormat = getKeyFormat(provider, customAddress)
  return trimmed.startsWith(keyFormat.startsWith) && trimmed.length > keyFormat.longerThan && isSendable(trimmed)
}

export function describeExpectedFormat(provider: Provider, customAddress: boolean): string {
  return `Expected format: ${getKeyFormat(provider, customAddress).format}`
}

export function describeInvalidFormat(provider: Provider, key: string, customAddress: boolean): string {
  const hint = isSendable(key.trim()) ? '' : ', without spaces or special characters'
  return `Invalid format. ${describeExpectedFormat(provider, customAddress)}${hint}`
}
