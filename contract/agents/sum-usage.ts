import type { Usage } from './runs.ts'

/** The cost is `null` if any price is unknown, and rounded to a millionth of a dollar, as stored. */
export function sumUsage(usages: readonly Usage[]): Usage {
  const cost = usages.reduce<number | null>(
    (sum, { cost_usd }) => (sum === null || cost_usd === null ? null : sum + cost_usd),
    0,
  )
  return {
    input_tokens: usages.reduce((sum, usage) => sum + usage.input_tokens, 0),
    output_tokens: usages.reduce((sum, usage) => sum + usage.output_tokens, 0),
    ...sumCachedTokens(usages, 'cached_tokens'),
    ...sumCachedTokens(usages, 'cache_write_tokens'),
    cost_usd: cost === null ? null : Math.round(cost * 1_000_000) / 1_000_000,
    estimated: usages.some((usage) => usage.estimated),
  }
}

function sumCachedTokens(usages: readonly Usage[], field: 'cached_tokens' | 'cache_write_tokens'): Partial<Usage> {
  const tokens = usages.reduce((total, usage) => total + (usage[field] ?? 0), 0)
  return tokens === 0 ? {} : { [field]: tokens }
}
