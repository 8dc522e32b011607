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

/** The rule of seed 001 §5, the same on the page and on the server. */
export function isKeyFormatValid(provider: string, key: string): boolean {
  const trimmed = key.trim()
  const rule = keyFormats[provider as Provider]
  if (!rule) return trimmed.length > 5
  return trimmed.startsWith(rule.startsWith) && trimmed.length > rule.longerThan
}

/** 'Invalid format. Expected format: {format}', the text under a key that does not fit. */
export function invalidFormatText(provider: Provider): string {
  return `Invalid format. Expected format: ${keyFormats[provider].format}`
}
