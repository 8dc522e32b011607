import type { Provider } from '../agents/model-settings.ts'

interface KeyFormat {
  /** Shown after "Expected format: ". */
  format: string
  startsWith: string
  /** The key must be longer than this many characters. */
  longerThan: number
  /** Where a person gets such a key. */
  address: string
  /** Cost label of the personal page. */
  costTier: '$' | '$$'
  /** Cost label of the platform page. */
  platformCostTier: 'High' | 'Medium'
}

export const keyFormats: Record<Provider, KeyFormat> = {
  openai: {
    format: 'sk-…',
    startsWith: 'sk-',
    longerThan: 20,
    address: 'https://platform.openai.com/api-keys',
    costTier: '$$',
    platformCostTier: 'High',
  },
  anthropic: {
    format: 'sk-ant-…',
    startsWith: 'sk-ant-',
    longerThan: 30,
    address: 'https://console.anthropic.com/settings/keys',
    costTier: '$$',
    platformCostTier: 'High',
  },
  together: {
    format: 'at least 11 characters',
    startsWith: '',
    longerThan: 10,
    address: 'https://api.together.ai/settings/api-keys',
    costTier: '$',
    platformCostTier: 'Medium',
  },
  elevenlabs: {
    format: 'at least 11 characters',
    startsWith: '',
    longerThan: 10,
    address: 'https://elevenlabs.io/app/settings/api-keys',
    costTier: '$',
    platformCostTier: 'Medium',
  },
}

/** Where `customAddress` is set, another server is called, whose keys have a form of their own. */
function formatFor(provider: string, customAddress: boolean): Pick<KeyFormat, 'format' | 'startsWith' | 'longerThan'> {
  const own = customAddress ? undefined : keyFormats[provider as Provider]
  return own ?? { format: 'at least 6 characters', startsWith: '', longerThan: 5 }
}

/** No header can carry anything else. */
const isSendable = (key: string) => /^[\x21-\x7e]+$/.test(key)

/** The rule of seed 001 §5, the same on the page and on the server. */
export function isKeyFormatValid(provider: string, key: string, customAddress: boolean): boolean {
  const trimmed = key.trim()
  const rule = formatFor(provider, customAddress)
  return trimmed.startsWith(rule.startsWith) && trimmed.length > rule.longerThan && isSendable(trimmed)
}

/** 'Expected format: {format}', the text under an empty field. */
export function expectedFormatText(provider: Provider, customAddress: boolean): string {
  return `Expected format: ${formatFor(provider, customAddress).format}`
}

/** 'Invalid format. Expected format: {format}', the text under a key that does not fit. */
export function invalidFormatText(provider: Provider, key: string, customAddress: boolean): string {
  const hint = isSendable(key.trim()) ? '' : ', without spaces and special characters'
  return `Invalid format. ${expectedFormatText(provider, customAddress)}${hint}`
}
