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

const minKeyPartLength = 8
const minPrivatePartLength = 24
/** Shorter secrets could match ordinary words. */
const minSecretLength = 6
const minPrivateTextLength = 12
const maxLength = 300

export interface Secrets {
  keys: string[]
  privateTexts: string[]
}

/** Sanitizes provider text: one line, at most 300 characters, without keys, account names or the prompt. */
export function scrub(text: string, { keys, privateTexts }: Secrets = { keys: [], privateTexts: [] }): string {
  const secrets = keys.filter((key) => key.length >= minSecretLength)
  let cleanText = text
  for (const secret of secrets) cleanText = cleanText.replaceAll(secret, removedMark)
  for (const pattern of secretPatterns) cleanText = cleanText.replace(pattern, removedMark)
  for (const secret of secrets) cleanText = removeParts(cleanText, secret, minKeyPartLength)
  // Keys are removed before truncating, so that no part remains; prompts after it, because they are long.
  cleanText = cleanText.slice(0, 2 * maxLength)
  for (const privateText of privateTexts) {
    if (privateText.length >= minPrivateTextLength)
      cleanText = removeParts(cleanText, privateText, minPrivatePartLength)
  }
  cleanText = cleanText
    .replace(/(?:\[removed\]){2,}/g, removedMark)
    .replace(/\p{Cc}|\s+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
  return cleanText.length > maxLength ? `${cleanText.slice(0, maxLength - 1)}…` : cleanText
}

function removeParts(text: string, secret: string, minLength: number): string {
  const window = Math.min(minLength, secret.length)
  let result = ''
  let offset = 0
  while (offset < text.length) {
    if (offset + window > text.length || !secret.includes(text.slice(offset, offset + window))) {
      result += text[offset]
      offset += 1
      continue
    }
    let end = offset + window
    while (end < text.length && secret.includes(text.slice(end - window + 1, end + 1))) end += 1
    result += removedMark
    offset = end
  }
  return result
}
