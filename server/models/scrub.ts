const replacement = '[removed]'

/** What keys and account names look like, for texts whose key we do not know (providers mask and shorten them: `sk-ab***yz`). */
const secretPatterns = [
  /\bBearer\s+[^\s"',;]+/gi,
  /\b(?:sk|rk|pk)[-_][A-Za-z0-9_*.…-]{4,}/g,
  /\btgp_[A-Za-z0-9_*-]{4,}/g,
  /\b(?:org|proj|user)[-_](?=[A-Za-z]*\d|[A-Za-z0-9]{12})[A-Za-z0-9]{6,}/g,
  /\b[0-9a-f]{32,}\b/gi,
  // Anthropic names organisations by UUID.
  /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi,
]

const shortestKeyPart = 8
const shortestPrivatePart = 24
/** Anything shorter is an ordinary word that may stand in any sentence. */
const shortestSecret = 6
const shortestPrivateText = 12
const longestQuote = 300

export interface Secrets {
  /** Removed whole, and every part of them that is 8 characters or longer. */
  keys: string[]
  /** What a person wrote (the prompt): parts of 24 characters or longer are removed. */
  privateTexts: string[]
}

/**
 * A foreign text made fit for a log, a row or a screen: one line, at most 300 characters, without keys,
 * account names or the person's own words.
 */
export function scrub(text: string, { keys, privateTexts }: Secrets = { keys: [], privateTexts: [] }): string {
  const secrets = keys.filter((key) => key.length >= shortestSecret)
  let clean = text
  for (const secret of secrets) clean = clean.replaceAll(secret, replacement)
  for (const pattern of secretPatterns) clean = clean.replace(pattern, replacement)
  for (const secret of secrets) clean = removeParts(clean, secret, shortestKeyPart)
  // Keys go before the cut, so that none is cut into an unrecognisable half; prompts after it, because they are long.
  clean = clean.slice(0, 2 * longestQuote)
  for (const privateText of privateTexts) {
    if (privateText.length >= shortestPrivateText) clean = removeParts(clean, privateText, shortestPrivatePart)
  }
  clean = clean
    .replace(/(?:\[removed\]){2,}/g, replacement)
    .replace(/\p{Cc}|\s+/gu, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()
  return clean.length > longestQuote ? `${clean.slice(0, longestQuote - 1)}…` : clean
}

/** Removes from `text` every run that also stands in `secret` and is at least `shortest` long (or is the whole secret). */
function removeParts(text: string, secret: string, shortest: number): string {
  const window = Math.min(shortest, secret.length)
  let kept = ''
  let at = 0
  while (at < text.length) {
    if (at + window > text.length || !secret.includes(text.slice(at, at + window))) {
      kept += text[at]
      at += 1
      continue
    }
    let end = at + window
    while (end < text.length && secret.includes(text.slice(end - window + 1, end + 1))) end += 1
    kept += replacement
    at = end
  }
  return kept
}
