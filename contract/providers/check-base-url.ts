import { trimEndMatching } from '../linear-text.ts'

// Global in browsers and Node; the contract is compiled without DOM or Node types.
declare const URL: {
  parse(
    text: string,
  ): { origin: string; hostname: string; pathname: string; search: string; username: string; password: string } | null
}

export type CheckedBaseUrl =
  | {
      /** Prefix of all call paths, without query and trailing slash. */
      baseUrl: string
      /** Appended to the call path: `''`, or starting with `?`. */
      query: string
      /** Explains the corrections; `null` if only spaces and slashes were removed. */
      note: string | null
    }
  | { /** The reason, as the rest of a sentence that starts with the setting. */ refusal: string }

const callPath =
  /\/(?:chat\/completions|completions|messages(?:\/count_tokens)?|responses|embeddings|models(?:\/[^/]+)?|voices|audio\/(?:transcriptions|translations|speech)|text-to-speech(?:\/.*)?)$/i
const ollamaPath = /^\/api\/(?:chat|generate|tags)$/i
/** On Azure AI, `/models` is the base of all calls. */
const isAzureModelsPath = (host: string, path: string) => path === '/models' && host.endsWith('.azure.com')
const pathsByHost: [host: RegExp, path: string][] = [
  [/\.(?:openai|cognitiveservices|services\.ai)\.azure\.com$/, '/openai/v1'],
  [/^openrouter\.ai$/, '/api/v1'],
  [/^api\.groq\.com$/, '/openai/v1'],
  [/^api\.fireworks\.ai$/, '/inference/v1'],
  [/^models\.github\.ai$/, '/inference'],
]
const doubledVersion = /(\/v\d+[a-z\d]*)(?:\1)+$/i

/** Validates a base address and corrects obvious mistakes; one ending in `#` stays as typed. `versionPath`, such as `/v1`, is added to a bare host. */
export function checkBaseUrl(versionPath: string, text: string): CheckedBaseUrl {
  const trimmed = text
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .trim()
  const url = URL.parse(trimmed)
  if (!url || !/^https?:\/\//i.test(trimmed))
    return { refusal: 'must be an address starting with http:// or https://, such as http://127.0.0.1:11434/v1' }
  if (url.username || url.password)
    return { refusal: 'must be an address without a username and password; keys have their own setting' }
  const originalPath = trimSlashes(url.pathname)
  const notes: string[] = []
  const path = trimmed.endsWith('#') ? originalPath : correctPath(versionPath, url.hostname, originalPath, notes)
  return {
    baseUrl: `${url.origin}${path}`,
    query: url.search,
    note: notes.length > 0 ? `${notes.join(' and ')}, so Keeper calls ${url.origin}${path}` : null,
  }
}

function correctPath(versionPath: string, host: string, originalPath: string, notes: string[]): string {
  let path = originalPath.replace(/\/{2,}/g, '/')
  if (path !== originalPath) notes.push('extra slashes were removed')
  const callMatch = isAzureModelsPath(host, path) ? null : (ollamaPath.exec(path) ?? callPath.exec(path))
  if (callMatch) {
    path = path.slice(0, callMatch.index)
    notes.push(`${callMatch[0]} at the end was removed`)
  }
  const deduplicated = path.replace(doubledVersion, '$1')
  if (deduplicated !== path) notes.push('the repeated version path was removed')
  const fixedPath = pathsByHost.find(([name]) => name.test(host))?.[1]
  if (
    fixedPath !== undefined &&
    deduplicated !== fixedPath &&
    (deduplicated === versionPath || fixedPath.startsWith(`${deduplicated}/`))
  ) {
    notes.push(`${host} serves its API under ${fixedPath}`)
    return fixedPath
  }
  // Claude Code and Anthropic's SDK expect a base without the version path.
  if (deduplicated !== '' && !/\/anthropic$/i.test(deduplicated)) return deduplicated
  notes.push(`${versionPath} was added`)
  return `${deduplicated}${versionPath}`
}

const trimSlashes = (text: string) => trimEndMatching(text, /\//)
