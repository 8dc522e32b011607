const removedMark = '[removed]'

/** Keys and account names, for texts whose key is unknown; providers mask and shorten them (`sk-ab***yz`). */
const secretPatterns = [
  /\bBearer\s+[^\s"',;]+/gi,
  /\b(?:sk|rk|pk)[-_][A-Za-z0-9_*.…-]{4,}/g,
  /\btgp_[A-Za-z0-9_*-]{4,}/g,
  /\b(?:org|proj|user)[-_](?=[A-Za-z]*\d|[A-Za-z0-9]{12})[A-Za-z0-9]{6,}/g,
  /\b[0-9a-f]{32,}\b/gi,
  // Anthropic identifies organizations by UUID.
  /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi,
]

/** Shorter keys could match ordinary words. */
const minKeyLength = 6
const minKeyFragmentLength = 8
const minPrivateTextLength = 12
const minPrivateFragmentLength = 24
const maxLength = 300

export interface Secrets {
  keys: string[]
  privateTexts: string[]
}

/** Sanitizes provider text: one line, at most 300 characters, without keys, account names or the prompt. */
export function scrub(text: string, { keys, privateTexts }: Secrets = { keys: [], privateTexts: [] }): string {
  const longKeys = keys.filter((key) => key.length >= minKeyLength)
  let cleanText = text
  for (const key of longKeys) cleanText = cleanText.replaceAll(key, removedMark)
  for (const pattern of secretPatterns) cleanText = cleanText.replace(pattern, removedMark)
  for (const key of longKeys) cleanText = removeFragments(cleanText, key, minKeyFragmentLength)
  // Remove keys before truncating, so that no partial key remains. Remove private texts afterwards, because matching long
  // texts is slow.
  cleanText = cleanText.slice(0, 2 * maxLength)
  for (const privateText of privateTexts) {
    if (privateText.length >= minPrivateTextLength)
      cleanText = removeFragments(cleanText, privateText, minPrivateFragmentLength)
  }
  cleanText = cleanText
    .replace(/(?:\[removed\]){2,}/g, removedMark)
    .replace(/\p{Cc}|\s+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
  return cleanText.length > maxLength ? `${cleanText.slice(0, maxLength - 1)}…` : cleanText
}

function removeFragments(text: string, sensitiveText: string, minLength: number): string {
  const windowLength = Math.min(minLength, sensitiveText.length)
  let result = ''
  let offset = 0
  while (offset < text.length) {
    if (offset + windowLength > text.length || !sensitiveText.includes(text.slice(offset, offset + windowLength))) {
      result += text[offset]
      offset += 1
      continue
    }
    let end = offset + windowLength
    while (end < text.length && sensitiveText.includes(text.slice(end - windowLength + 1, end + 1))) end += 1
    result += removedMark
    offset = end
  }
  return result
}
