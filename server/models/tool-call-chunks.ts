import { isObject } from '#server/values/is-object.ts'
import { parseJson } from './json-values.ts'
import type { ModelToolCall } from './model-request.ts'

export interface ToolCallChunk {
  index?: number
  id?: string
  name?: string
  arguments?: string
  extra?: Record<string, unknown>
  /** A later element of one list, which has neither index nor id. */
  isSeparate?: boolean
}

const maxCalls = 256
const maxArgumentsLength = 100_000
const maxDepth = 32

interface GatheredCall {
  id: string
  name: string
  arguments: string
  /** The latest chunk, while each one repeats all before it. */
  cumulativeArguments: string | undefined
  extra: Record<string, unknown> | undefined
}

export class ToolCallAssembler {
  readonly #calls: GatheredCall[] = []
  readonly #callByIndex = new Map<number, GatheredCall>()
  #lastCall: GatheredCall | undefined
  #parseChecks = 0

  get hasCalls(): boolean {
    return this.#calls.length > 0
  }

  clear(): void {
    this.#calls.length = 0
    this.#callByIndex.clear()
    this.#lastCall = undefined
  }

  add(chunk: ToolCallChunk): void {
    const call = this.#findCall(chunk) ?? this.#startCall()
    if (!call) return
    if (chunk.index !== undefined) this.#callByIndex.set(chunk.index, call)
    this.#lastCall = call
    call.id ||= chunk.id ?? ''
    // A name can arrive in chunks or repeatedly.
    if (chunk.name) call.name = chunk.name.startsWith(call.name) ? chunk.name : call.name + chunk.name
    if (chunk.extra) call.extra = { ...call.extra, ...chunk.extra }
    if (!chunk.arguments) return
    const isRepeated = call.cumulativeArguments !== undefined && chunk.arguments.startsWith(call.cumulativeArguments)
    call.cumulativeArguments = isRepeated ? chunk.arguments : undefined
    if (call.arguments.length <= maxArgumentsLength) call.arguments += chunk.arguments
  }

  getCalls(): ModelToolCall[] {
    return this.#calls.map(({ id, name, arguments: text, cumulativeArguments, extra }, index) => ({
      id: id || `call_${index}`,
      // Text columns don't accept NUL.
      name: name.replaceAll('\0', ''),
      ...parseArguments(text, cumulativeArguments),
      ...(extra && { extra }),
    }))
  }

  /** A new id starts a call, unless the current one still has none. A name after complete arguments always starts one. */
  #findCall(chunk: ToolCallChunk): GatheredCall | undefined {
    const { index, id, name, isSeparate } = chunk
    if (isSeparate) return undefined
    const current = index === undefined ? this.#lastCall : this.#callByIndex.get(index)
    if (!id) return current && this.#startsNextCall(current, chunk) ? undefined : current
    const existing = this.#calls.find((call) => call.id === id)
    if (existing) return existing
    const awaitsId = current && !current.id && (index !== undefined || !name) && !this.#startsNextCall(current, chunk)
    return awaitsId ? current : undefined
  }

  #startsNextCall(call: GatheredCall, chunk: ToolCallChunk): boolean {
    if (!chunk.name || call.name === '' || !call.arguments.trimEnd().endsWith('}')) return false
    this.#parseChecks += 1
    return this.#parseChecks <= 2 * maxCalls && isObject(parseJson(call.arguments))
  }

  #startCall(): GatheredCall | undefined {
    if (this.#calls.length === maxCalls) return undefined
    const call: GatheredCall = { id: '', name: '', arguments: '', cumulativeArguments: '', extra: undefined }
    this.#calls.push(call)
    return call
  }
}

function parseArguments(
  text: string,
  /** The latest chunk, while each one repeats all before it. */
  cumulativeArguments: string | undefined,
): Pick<ModelToolCall, 'arguments' | 'unreadable'> {
  if (text.trim() === '') return { arguments: {} }
  if (text.length > maxArgumentsLength) return createUnreadableCall('are longer than 100,000 characters')
  const value = findValue(text, cumulativeArguments)
  if (value === undefined) return createUnreadableCall('are not valid JSON')
  if (!isObject(value)) return createUnreadableCall('are not a JSON object')
  // Deep nesting can overflow the stack when serialized.
  if (isDeeperThan(value, maxDepth)) return createUnreadableCall('are nested too deeply')
  return { arguments: value }
}

function findValue(text: string, cumulativeArguments: string | undefined): unknown {
  const value = parseJson(text)
  if (typeof value === 'string') return parseJson(value) ?? value
  if (value !== undefined) return value
  const variants = [
    cumulativeArguments,
    stripFence(text),
    // An empty object before the real one, or the same one twice.
    text.replace(/^\s*\{\s*\}(?=\s*\{)/, ''),
    isDoubled(text) ? text.slice(0, text.length / 2) : undefined,
    escapeControls(text),
  ]
  for (const variant of variants) {
    const parsed = variant === undefined ? undefined : parseJson(variant)
    if (isObject(parsed)) return parsed
  }
  return undefined
}

function stripFence(text: string): string | undefined {
  const trimmed = text.trim()
  const start = trimmed.indexOf('\n')
  return trimmed.startsWith('```') && trimmed.endsWith('```') && start > 0 ? trimmed.slice(start, -3) : undefined
}

const isDoubled = (text: string) =>
  text.length % 2 === 0 && text.slice(0, text.length / 2) === text.slice(text.length / 2)

function escapeControls(text: string): string {
  let escaped = ''
  let isInString = false
  for (let index = 0; index < text.length; index++) {
    const character = text[index] as string
    if (character === '"') isInString = !isInString
    if (character === '\\' && isInString) escaped += character + (text[++index] ?? '')
    else if (isInString && character < ' ') escaped += JSON.stringify(character).slice(1, -1)
    else escaped += character
  }
  return escaped
}

function createUnreadableCall(problem: string): Pick<ModelToolCall, 'arguments' | 'unreadable'> {
  return { arguments: {}, unreadable: `The arguments ${problem}. Send one JSON object that matches the tool's schema.` }
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((child) => isDeeperThan(child, levels - 1))
}
