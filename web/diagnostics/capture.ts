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

const maxCapturedErrors = 50
const maxCapturedRequests = 200

/** Records console errors and network requests of this page until `restore` is called. */
export class Capture {
  readonly errors: CapturedError[] = []
  readonly requests: CapturedRequest[] = []
  #hears = true
  readonly #undo: (() => void)[] = []

  constructor() {
    this.#overConsole()
    this.#overFetch()
    this.#listen('error', (event) => this.#note((event as ErrorEvent).message || 'A file couldn’t be loaded'))
    this.#listen('unhandledrejection', (event) => this.#note(format([(event as PromiseRejectionEvent).reason])))
  }

  /** Restores the originals. A wrapper that other code added since stays, and no longer reaches this capture. */
  restore(): void {
    this.#hears = false
    for (const undo of this.#undo.splice(0)) undo()
  }

  #overConsole(): void {
    const original = console.error
    const wrapped = (...args: unknown[]) => {
      this.#note(format(args))
      original.apply(console, args)
    }
    console.error = wrapped
    this.#undo.push(() => {
      if (console.error === wrapped) console.error = original
    })
  }

  #overFetch(): void {
    const original = globalThis.fetch
    const wrapped: typeof fetch = async (input, init) => {
      const started = performance.now()
      const at = new Date().toISOString()
      const record = (status: number | null) => {
        if (!this.#hears || this.requests.length >= maxCapturedRequests) return
        const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
        const address = redacted(plainAddress(input instanceof Request ? input.url : String(input)))
        this.requests.push({ at, method, address, status, ms: Math.round(performance.now() - started) })
      }
      try {
        const response = await original.call(globalThis, input, init)
        record(response.status)
        return response
      } catch (reason) {
        record(null)
        throw reason
      }
    }
    globalThis.fetch = wrapped
    this.#undo.push(() => {
      if (globalThis.fetch === wrapped) globalThis.fetch = original
    })
  }

  #listen(type: 'error' | 'unhandledrejection', listener: (event: Event) => void): void {
    addEventListener(type, listener)
    this.#undo.push(() => removeEventListener(type, listener))
  }

  #note(text: string): void {
    if (!this.#hears || this.errors.length >= maxCapturedErrors) return
    this.errors.push({ at: new Date().toISOString(), text: redacted(text) })
  }
}
