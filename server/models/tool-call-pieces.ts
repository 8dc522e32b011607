import type { ModelToolCall } from './model-request.ts'
import { parseJson } from './parse-json.ts'

/** A part of a tool call as a provider's wire brings it: name and id once, the arguments in pieces of JSON text. */
export interface ToolCallPiece {
  /** Which call of the answer; left out by some servers, which then send each call whole or in a row. */
  index?: number
  id?: string
  name?: string
  arguments?: string
}

const mostCalls = 256
const longestArguments = 100_000
const deepestArguments = 32

interface Gathered {
  id: string
  name: string
  arguments: string
}

/** Puts the tool calls of one answer together from their pieces. */
export class ToolCallPieces {
  readonly #calls = new Map<number, Gathered>()
  #last = -1

  get begun(): boolean {
    return this.#calls.size > 0
  }

  add(piece: ToolCallPiece): void {
    const call = this.#callOf(piece)
    if (!call) return
    call.id ||= piece.id ?? ''
    call.name ||= piece.name ?? ''
    // One more character than is taken, so that too much is noticed.
    if (call.arguments.length <= longestArguments) call.arguments += piece.arguments ?? ''
  }

  whole(): ModelToolCall[] {
    return [...this.#calls.values()].map(({ id, name, arguments: text }, index) => ({
      id: id || `call_${index}`,
      // It stands in a text column, and none keeps NUL.
      name: name.replaceAll('\0', ''),
      ...readArguments(text),
    }))
  }

  #callOf({ index, id }: ToolCallPiece): Gathered | undefined {
    const at = index ?? (id || this.#last < 0 ? this.#calls.size : this.#last)
    const known = this.#calls.get(at)
    if (known) {
      this.#last = at
      return known
    }
    if (this.#calls.size === mostCalls) return undefined
    const fresh = { id: '', name: '', arguments: '' }
    this.#calls.set(at, fresh)
    this.#last = at
    return fresh
  }
}

function readArguments(text: string): Pick<ModelToolCall, 'arguments' | 'unreadable'> {
  if (text.trim() === '') return { arguments: {} }
  if (text.length > longestArguments) return unreadable('are longer than 100,000 characters')
  const value = parseJson(text)
  if (value === undefined) return unreadable('are not valid JSON')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return unreadable('are not a JSON object')
  // What is nested deeper cannot even be written down again.
  if (isDeeperThan(value, deepestArguments)) return unreadable('are nested too deeply')
  return { arguments: value as Record<string, unknown> }
}

function unreadable(what: string): Pick<ModelToolCall, 'arguments' | 'unreadable'> {
  return { arguments: {}, unreadable: `The arguments ${what}. Send one JSON object that fits the tool's schema.` }
}

function isDeeperThan(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((inner) => isDeeperThan(inner, levels - 1))
}
