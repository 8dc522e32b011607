import { format } from './format-console.ts'
import { plainAddress, redacted } from './redact.ts'

export interface CapturedError {
  at: string
  text: string
}
export interface CapturedRequest {
  at: string
  method: string
  /** Without the query. */
  address: string
  /** `null` without an answer. */
  status: number | null
  ms: number
}

const mostErrors = 50
const mostRequests = 200

/** Records console errors and network requests of this page until `restore` is called. */
export class Capture {
  readonly errors: CapturedError[] = []
  readonly requests: CapturedRequest[] = []
  #hears = true
  readonly #undo: (() => void)[] = []

  constructor() {
    this.#overConsole()
    this.#overFetch()
    this.#listen('error', (event) => this.#note((event as ErrorEvent).message || 'A file could not be loaded'))
    this.#listen('unhandledrejection', (event) => this.#note(format([(event as PromiseRejectionEvent).reason])))
  }

  /** Restores the originals. A wrapper that other code added since stays, and no longer reaches this capture. */
  restore(): void {
    this.#hears = false
    for (const undo of this.#undo.splice(0)) undo()
  }

  #overConsole(): void {
    const before = console.error
    const mine = (...words: unknown[]) => {
      this.#note(format(words))
      before.apply(console, words)
    }
    console.error = mine
    this.#undo.push(() => {
      if (console.error === mine) console.error = before
    })
  }

  #overFetch(): void {
    const before = globalThis.fetch
    const mine: typeof fetch = async (input, init) => {
      const started = performance.now()
      const at = new Date().toISOString()
      const said = (status: number | null) => {
        if (!this.#hears || this.requests.length >= mostRequests) return
        const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
        const address = redacted(plainAddress(input instanceof Request ? input.url : String(input)))
        this.requests.push({ at, method, address, status, ms: Math.round(performance.now() - started) })
      }
      try {
        const response = await before.call(globalThis, input, init)
        said(response.status)
        return response
      } catch (reason) {
        said(null)
        throw reason
      }
    }
    globalThis.fetch = mine
    this.#undo.push(() => {
      if (globalThis.fetch === mine) globalThis.fetch = before
    })
  }

  #listen(type: 'error' | 'unhandledrejection', hear: (event: Event) => void): void {
    addEventListener(type, hear)
    this.#undo.push(() => removeEventListener(type, hear))
  }

  #note(text: string): void {
    if (!this.#hears || this.errors.length >= mostErrors) return
    this.errors.push({ at: new Date().toISOString(), text: redacted(text) })
  }
}
