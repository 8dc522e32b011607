import { TrieRouter } from 'hono/router/trie-router'
import { getPath, tryDecodeURIComponent } from 'hono/utils/url'
import type { NodeBindings } from './client-address.ts'
import { apiHeaders } from './security-headers.ts'

/** What came, as whoever answers it is told. */
export interface Asked {
  request: Request
  /** Of the address, decoded. */
  path: string
  /** The named parts of the path, decoded. */
  params: Record<string, string>
  bindings: NodeBindings | undefined
}

export type Answer = (asked: Asked) => Response | Promise<Response>

/** Where an address leads: who answers, and the named parts of the path as they came. */
type Found = [answer: Answer, params: Record<string, string>]

/**
 * Who answers at which address: of those that fit the one that was added first. HEAD is asked as GET and answered without
 * the body.
 *
 * The router is Hono's, its application is not: it makes a context with fourteen functions and two promises for each request,
 * which nobody here asks for (docs/decisions/0023).
 */
export class Addresses {
  readonly #trie = new TrieRouter<Answer>()
  readonly #fixed = new Set<string>()
  readonly #known = new Map<string, Found | null>()

  readonly #failed: (thrown: unknown, request: Request) => Response

  /** `failed` answers what an answer throws. */
  constructor(failed: (thrown: unknown, request: Request) => Response) {
    this.#failed = failed
  }

  /** `path` may have `:named` parts and end in `*`; `method` may be `ALL`. */
  on(method: string, path: string, answer: Answer): void {
    this.onCall(method, path, async (asked) => {
      try {
        return await answer(asked)
      } catch (thrown) {
        return this.#failed(thrown, asked.request)
      }
    })
  }

  /** As `on`, for what answers by itself what it throws: calls come all the time, and a promise less is felt. */
  onCall(method: string, path: string, answer: Answer): void {
    this.#trie.add(method, path, answer)
    if (!/[:*]/.test(path)) this.#fixed.add(path)
    this.#known.clear()
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

  /** What answers at an address without named parts is looked up once; only those: what is asked for has no end. */
  #find(method: string, path: string): Found | null {
    if (!this.#fixed.has(path)) return this.#firstOf(method, path)
    const asked = `${method} ${path}`
    let known = this.#known.get(asked)
    if (known === undefined) {
      known = this.#firstOf(method, path)
      this.#known.set(asked, known)
    }
    return known
  }

  #firstOf(method: string, path: string): Found | null {
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
