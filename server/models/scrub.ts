const replacement = '[removed]'

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
  let clean = text
  for (const secret of secrets) clean = clean.replaceAll(secret, replacement)
  for (const pattern of secretPatterns) clean = clean.replace(pattern, replacement)
  for (const secret of secrets) clean = removeParts(clean, secret, minKeyPartLength)
  // Keys are removed before truncating, so that no part remains; prompts after it, because they are long.
  clean = clean.slice(0, 2 * maxLength)
  for (const privateText of privateTexts) {
    if (privateText.length >= minPrivateTextLength) clean = removeParts(clean, privateText, minPrivatePartLength)
  }
  clean = clean
    .replace(/(?:\[removed\]){2,}/g, replacement)
    .replace(/\p{Cc}|\s+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
  return clean.length > maxLength ? `${clean.slice(0, maxLength - 1)}…` : clean
}

function removeParts(text: string, secret: string, minLength: number): string {
  const window = Math.min(minLength, secret.length)
  let result = ''
  let at = 0
  while (at < text.length) {
    if (at + window > text.length || !secret.includes(text.slice(at, at + window))) {
      result += text[at]
      at += 1
      continue
    }
    let end = at + window
    while (end < text.length && secret.includes(text.slice(end - window + 1, end + 1))) end += 1
    result += replacement
    at = end
  }
  return result
}
