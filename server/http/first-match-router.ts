import type { Result, Router } from 'hono/router'
import { TrieRouter } from 'hono/router/trie-router'

/**
 * Finds the handler that was added first among those that fit. None of ours passes a request on, so the others are left
 * out and Hono calls the one directly; what answers at an address without parameters is looked up once.
 */
export class FirstMatchRouter<Handler> implements Router<Handler> {
  name = 'FirstMatchRouter'
  readonly #trie = new TrieRouter<Handler>()
  readonly #addresses = new Set<string>()
  readonly #known = new Map<string, Result<Handler>>()

  add(method: string, path: string, handler: Handler): void {
    this.#trie.add(method, path, handler)
    // Only addresses that are ours: what is asked for has no end.
    if (!/[:*]/.test(path)) this.#addresses.add(path)
    this.#known.clear()
  }

  match(method: string, path: string): Result<Handler> {
    if (!this.#addresses.has(path)) return this.#firstOf(method, path)
    const asked = `${method} ${path}`
    const known = this.#known.get(asked)
    if (known) return known
    const found = this.#firstOf(method, path)
    this.#known.set(asked, found)
    return found
  }

  #firstOf(method: string, path: string): Result<Handler> {
    const found = this.#trie.match(method, path)
    found[0].splice(1)
    return found
  }
}
