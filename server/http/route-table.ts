import { TrieRouter } from 'hono/router/trie-router'
import { getPath, tryDecodeURIComponent } from 'hono/utils/url'
import type { NodeBindings } from './client-address.ts'
import { apiHeaders } from './security-headers.ts'

export interface RouteRequest {
  request: Request
  path: string
  params: Record<string, string>
  bindings: NodeBindings | undefined
}

export type RouteHandler = (routeRequest: RouteRequest) => Response | Promise<Response>

type RouteMatch = [handler: RouteHandler, params: Record<string, string>]

/** The first added match wins. Hono's router without its application and per-request context (docs/decisions/0023). */
export class RouteTable {
  readonly #trie = new TrieRouter<RouteHandler>()
  readonly #fixed = new Set<string>()
  readonly #cache = new Map<string, RouteMatch | null>()

  readonly #onError: (thrown: unknown, request: Request) => Response

  constructor(onError: (thrown: unknown, request: Request) => Response) {
    this.#onError = onError
  }

  on(method: string, path: string, handler: RouteHandler): void {
    this.onCall(method, path, async (routeRequest) => {
      try {
        return await handler(routeRequest)
      } catch (thrown) {
        return this.#onError(thrown, routeRequest.request)
      }
    })
  }

  onCall(method: string, path: string, handler: RouteHandler): void {
    this.#trie.add(method, path, handler)
    if (!/[:*]/.test(path)) this.#fixed.add(path)
    this.#cache.clear()
  }

  fetch(request: Request, bindings?: NodeBindings): Response | Promise<Response> {
    if (request.method !== 'HEAD') return this.#handle(request, bindings, request.method)
    const response = this.#handle(request, bindings, 'GET')
    return response instanceof Promise ? response.then(removeBody) : removeBody(response)
  }

  #handle(request: Request, bindings: NodeBindings | undefined, method: string): Response | Promise<Response> {
    const path = getPath(request)
    const match = this.#find(method, path)
    if (!match) return new Response(null, { status: 404, headers: apiHeaders })
    const [handler, params] = match
    return handler({ request, path, params: decodeParams(params), bindings })
  }

  #find(method: string, path: string): RouteMatch | null {
    if (!this.#fixed.has(path)) return this.#findFirst(method, path)
    const cacheKey = `${method} ${path}`
    let cached = this.#cache.get(cacheKey)
    if (cached === undefined) {
      cached = this.#findFirst(method, path)
      this.#cache.set(cacheKey, cached)
    }
    return cached
  }

  #findFirst(method: string, path: string): RouteMatch | null {
    return (this.#trie.match(method, path)[0][0] as RouteMatch | undefined) ?? null
  }
}

function removeBody(response: Response): Response {
  return new Response(null, response)
}

function decodeParams(params: Record<string, string>): Record<string, string> {
  const decoded: Record<string, string> = {}
  for (const name in params) {
    const value = params[name]
    if (value !== undefined) decoded[name] = tryDecodeURIComponent(value)
  }
  return decoded
}
