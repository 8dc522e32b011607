import type { Provider } from '../agents/model-settings.ts'
import type { KeyFormat } from '../providers/provider-info.ts'
import { getProviderInfo } from '../providers/registry.ts'

/** With `customAddress`, another server is called, whose keys have a different format. */
function formatFor(provider: string, customAddress: boolean): Pick<KeyFormat, 'format' | 'startsWith' | 'longerThan'> {
  return customAddress
    ? { format: 'at least 6 characters', startsWith: '', longerThan: 5 }
    : getProviderInfo(provider).key
}

/** Header values allow nothing else. */
const isSendable = (key: string) => /^[\x21-\x7e]+$/.test(key)

export function isKeyFormatValid(provider: string, key: string, customAddress: boolean): boolean {
  const trimmed = key.trim()
  const rule = formatFor(provider, customAddress)
  return trimmed.startsWith(rule.startsWith) && trimmed.length > rule.longerThan && isSendable(trimmed)
}

export function expectedFormatText(provider: Provider, customAddress: boolean): string {
  return `Expected format: ${formatFor(provider, customAddress).format}`
}

export function invalidFormatText(provider: Provider, key: string, customAddress: boolean): string {
  const hint = isSendable(key.trim()) ? '' : ', without spaces or special characters'
  return `Invalid format. ${expectedFormatText(provider, customAddress)}${hint}`
}
