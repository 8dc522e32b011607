import { omitUndefined, type TokenCounts } from '../../chat-api.ts'
import { asObject, readTokenCount } from '../../json-values.ts'

export function readTokens(usage: unknown): TokenCounts | undefined {
  const counts = asObject(usage)
  const input = readTokenCount(counts.prompt_tokens ?? counts.input_tokens)
  const reportedOutput = readTokenCount(counts.completion_tokens ?? counts.output_tokens)
  if (input === undefined && reportedOutput === undefined) return undefined
  const inputDetails = asObject(counts.prompt_tokens_details ?? counts.input_tokens_details)
  const outputDetails = asObject(counts.completion_tokens_details ?? counts.output_tokens_details)
  const thoughtTokens = readTokenCount(outputDetails.reasoning_tokens) ?? 0
  const total = readTokenCount(counts.total_tokens) ?? 0
  // A few servers report thoughts separately, or only in the total, instead of as part of the output.
  const areThoughtsSeparate = reportedOutput !== undefined && thoughtTokens > reportedOutput
  const output = areThoughtsSeparate ? reportedOutput + thoughtTokens : reportedOutput
  return omitUndefined({
    input,
    output: output === undefined ? undefined : Math.max(output, total - (input ?? 0)),
    cachedInput: readTokenCount(inputDetails.cached_tokens ?? counts.prompt_cache_hit_tokens),
    cacheWrites: readTokenCount(inputDetails.cache_write_tokens),
  })
}
