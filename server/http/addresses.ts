import { TrieRouter } from 'hono/router/trie-router'
import { getPath, tryDecodeURIComponent } from 'hono/utils/url'
import type { NodeBindings } from './client-address.ts'
import { apiHeaders } from './security-headers.ts'

export interface Asked {
  request: Request
  path: string
  params: Record<string, string>
  bindings: NodeBindings | undefined
}

export type Answer = (asked: Asked) => Response | Promise<Response>

/** A handler with the undecoded path parameters. */
type Found = [answer: Answer, params: Record<string, string>]

/** The first added match wins. Hono's router without its application and per-request context (docs/decisions/0023). */
export class Addresses {
  readonly #trie = new TrieRouter<Answer>()
  readonly #fixed = new Set<string>()
  readonly #cache = new Map<string, Found | null>()

  readonly #onError: (thrown: unknown, request: Request) => Response

  /** @param failed turns an error of a handler into a response */
  constructor(failed: (thrown: unknown, request: Request) => Response) {
    this.#onError = failed
  }

  /** `path` can have `:named` segments and end in `*`; `method` can be `ALL`. */
  on(method: string, path: string, answer: Answer): void {
    this.onCall(method, path, async (asked) => {
      try {
        return await answer(asked)
      } catch (thrown) {
        return this.#onError(thrown, asked.request)
      }
    })
  }

  /** Like `on`, for handlers that answer their own errors, which saves a promise per call. */
  onCall(method: string, path: string, answer: Answer): void {
    this.#trie.add(method, path, answer)
    if (!/[:*]/.test(path)) this.#fixed.add(path)
    this.#cache.clear()
  }

  fetch(request: Request, bindings?: NodeBindings): Response | Promise<Response> {
    if (request.method !== 'HEAD') return this.#answer(request, bindings, request.method)
    const answered = this.#answer(request, bindings, 'GET')
    return answered instanceof Promise ? answered.then(withoutBody) : withoutBody(answered)
  }

  #answer(request: Request, bindings: NodeBindings | undefined, method: string): Response | Promise<Response> {
    const path = getPath(request)
    const found = this.#find(method, path)
    if (!found) return new Response(null, { status: 404, headers: apiHeaders })
    const [answer, params] = found
    return answer({ request, path, params: decoded(params), bindings })
  }

  /** Matches are cached for fixed paths only, since the others are unbounded. */
  #find(method: string, path: string): Found | null {
    if (!this.#fixed.has(path)) return this.#findFirst(method, path)
    const asked = `${method} ${path}`
    let known = this.#cache.get(asked)
    if (known === undefined) {
      known = this.#findFirst(method, path)
      this.#cache.set(asked, known)
    }
    return known
  }

  #findFirst(method: string, path: string): Found | null {
    return (this.#trie.match(method, path)[0][0] as Found | undefined) ?? null
  }
}

function withoutBody(answer: Response): Response {
  return new Response(null, answer)
}

function decoded(params: Record<string, string>): Record<string, string> {
  const all: Record<string, string> = {}
  for (const name in params) {
    const value = params[name]
    if (value !== undefined) all[name] = tryDecodeURIComponent(value)
  }
  return all
}
