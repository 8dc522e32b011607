import { isObject } from '../values/is-object.ts'

type Json = unknown
type JsonObject = Record<string, Json>

/**
 * `is`: a new value. `in`: changed entries, `null` for a removed one. `list`: items in order, reused or new. `text`:
 * lengths of the unchanged start and end, and the text between.
 */
export type JsonDelta =
  | { is: Json }
  | { in: Record<string, JsonDelta | null> }
  | { text: [prefixLength: number, suffixLength: number, between: string] }
  | { list: ListPart[] }
type ListPart = [from: number, count: number] | { from: number; delta: JsonDelta } | { is: Json }

/** Returns undefined if the values are equal. Entries that are `undefined` count as absent. */
export function diffJson(from: Json, to: Json): JsonDelta | undefined {
  if (Object.is(from, to)) return undefined
  if (typeof from === 'string' && typeof to === 'string') return diffTexts(from, to)
  if (Array.isArray(from) && Array.isArray(to)) return diffLists(from, to)
  if (isObject(from) && isObject(to)) return diffObjects(from, to)
  return { is: to ?? null }
}

export function applyDelta(from: Json, delta: JsonDelta | undefined): Json {
  if (delta === undefined) return from
  if ('is' in delta) return delta.is
  if ('text' in delta) {
    const [prefixLength, suffixLength, between] = delta.text
    const text = String(from)
    return text.slice(0, prefixLength) + between + text.slice(text.length - suffixLength)
  }
  if ('list' in delta) {
    const items = from as Json[]
    return delta.list.flatMap((part) => {
      if (Array.isArray(part)) return items.slice(part[0], part[0] + part[1])
      return 'is' in part ? [part.is] : [applyDelta(items[part.from], part.delta)]
    })
  }
  const changes = delta.in
  const unchanged = Object.entries(from as JsonObject).filter(([key]) => !Object.hasOwn(changes, key))
  const changed = Object.entries(changes).flatMap(([key, change]) =>
    change === null ? [] : [[key, applyDelta(getOwnProperty(from as JsonObject, key), change)] as const],
  )
  // `fromEntries` defines properties, so a `__proto__` key stays a key.
  return Object.fromEntries([...unchanged, ...changed])
}

function diffObjects(from: JsonObject, to: JsonObject): JsonDelta | undefined {
  const changes = new Map<string, JsonDelta | null>()
  for (const key of new Set([...Object.keys(from), ...Object.keys(to)])) {
    const [previousValue, nextValue] = [getOwnProperty(from, key), getOwnProperty(to, key)]
    if (nextValue !== undefined) {
      const change = diffJson(previousValue, nextValue)
      if (change) changes.set(key, change)
    } else if (previousValue !== undefined) changes.set(key, null)
  }
  return changes.size === 0 ? undefined : { in: Object.fromEntries(changes) }
}

const minTextLength = 64

function diffTexts(from: string, to: string): JsonDelta {
  const shorterLength = Math.min(from.length, to.length)
  if (shorterLength < minTextLength) return { is: to }
  let prefixLength = 0
  while (prefixLength < shorterLength && from.charCodeAt(prefixLength) === to.charCodeAt(prefixLength)) prefixLength++
  let suffixLength = 0
  while (
    suffixLength < shorterLength - prefixLength &&
    from.charCodeAt(from.length - 1 - suffixLength) === to.charCodeAt(to.length - 1 - suffixLength)
  )
    suffixLength++
  // Not every database stores a lone surrogate, so never split a pair.
  if (isHighSurrogate(to, prefixLength - 1)) prefixLength--
  if (suffixLength > 0 && isLowSurrogate(to, to.length - suffixLength)) suffixLength--
  return { text: [prefixLength, suffixLength, to.slice(prefixLength, to.length - suffixLength)] }
}

const isHighSurrogate = (text: string, index: number) => (text.charCodeAt(index) & 0xfc00) === 0xd800
const isLowSurrogate = (text: string, index: number) => (text.charCodeAt(index) & 0xfc00) === 0xdc00

function diffLists(from: readonly Json[], to: readonly Json[]): JsonDelta | undefined {
  const positions = new Map<string, number[]>()
  for (const [index, item] of from.entries()) {
    const key = getItemKey(item)
    const indexes = positions.get(key)
    if (indexes) indexes.push(index)
    else positions.set(key, [index])
  }
  for (const indexes of positions.values()) indexes.reverse()
  const list: ListPart[] = []
  let reusedRun: [number, number] | undefined
  for (const item of to) {
    const index = positions.get(getItemKey(item))?.pop()
    const delta = index === undefined ? undefined : diffJson(from[index], item)
    if (index !== undefined && delta === undefined && reusedRun && reusedRun[0] + reusedRun[1] === index) {
      reusedRun[1]++
      continue
    }
    reusedRun = index !== undefined && delta === undefined ? [index, 1] : undefined
    list.push(reusedRun ?? (index === undefined || delta === undefined ? { is: item } : { from: index, delta }))
  }
  const isSame = from.length === to.length && (to.length === 0 || (list.length === 1 && reusedRun?.[1] === to.length))
  return isSame ? undefined : { list }
}

function getItemKey(item: Json): string {
  return isObject(item) && typeof item.id === 'string' ? `id ${item.id}` : JSON.stringify(item)
}

function getOwnProperty(object: JsonObject, key: string): Json {
  return Object.hasOwn(object, key) ? object[key] : undefined
}
