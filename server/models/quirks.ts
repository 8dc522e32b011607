import { LruMap } from '#contract/lru-map.ts'
import { toModelKey } from './provider-address.ts'

/** How one model at one address deviates from its API. */
export interface Quirks {
  /** Fields of the request that are left out, such as `temperature` or `generationConfig.thinkingConfig`. */
  omitted: ReadonlySet<string>
  /** Fields that go by another name, such as `max_tokens` as `max_completion_tokens`. */
  renamed: ReadonlyMap<string, string>
  /** Fields that are set to a value. */
  set: ReadonlyMap<string, string>
  /** The maximum it accepts as the limit of an answer. */
  maxTokens?: number
  /** Input and output tokens together, as named in a refusal of length. */
  window?: number
  /** The purpose goes in front of the first message. */
  hasNoSystemRole?: boolean
  /** Another API of the provider is the one that takes this request. */
  api?: 'responses' | 'chat-completions'
}

export const noQuirks: Quirks = { omitted: new Set(), renamed: new Map(), set: new Map() }

export function mergeQuirks(known: Quirks | undefined, learned: Quirks): Quirks {
  if (!known) return learned
  return {
    ...known,
    ...learned,
    omitted: new Set([...known.omitted, ...learned.omitted]),
    renamed: new Map([...known.renamed, ...learned.renamed]),
    set: new Map([...known.set, ...learned.set]),
  }
}

const maxRemembered = 2000
const remembered = new LruMap<string, Quirks>(maxRemembered)

/** Quirks learned since this process started. */
export function getQuirks(baseUrl: string, model: string): Quirks {
  return remembered.get(toModelKey(baseUrl, model)) ?? noQuirks
}

/** Adds to what other requests learned in the meantime. */
export function rememberQuirks(baseUrl: string, model: string, quirks: Quirks): void {
  const key = toModelKey(baseUrl, model)
  remembered.set(key, mergeQuirks(remembered.get(key), quirks))
}

/** Forgets everything, for tests that share an address. */
export function forgetQuirks(): void {
  remembered.clear()
}

/** The body as this model takes it. */
export function applyQuirks(body: Record<string, unknown>, { omitted, renamed, set }: Quirks): Record<string, unknown> {
  if (omitted.size + renamed.size + set.size === 0) return body
  const fitted = withFields(body, '', { omitted, renamed })
  return { ...fitted, ...Object.fromEntries([...set].filter(([name]) => !omitted.has(name))) }
}

function withFields(
  fields: Record<string, unknown>,
  prefix: string,
  { omitted, renamed }: Pick<Quirks, 'omitted' | 'renamed'>,
): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => {
      const path = prefix + name
      if (omitted.has(path)) return []
      const isGroup = groups.has(path) && typeof value === 'object' && value !== null
      const inner = isGroup ? withFields(value as Record<string, unknown>, `${path}.`, { omitted, renamed }) : value
      return [[renamed.get(path) ?? name, inner]]
    }),
  )
}

/** Objects of a request whose fields are settings of their own. */
export const groups: ReadonlySet<string> = new Set(['generationConfig', 'reasoning', 'stream_options'])
