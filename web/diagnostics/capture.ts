import { formatConsoleArgs } from './console-journal.ts'
import { redact, toPlainAddress } from './redact.ts'

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
  #isRecording = true
  readonly #restorers: (() => void)[] = []

  constructor() {
    this.#wrapConsole()
    this.#wrapFetch()
    this.#listen('error', (event) => this.#recordError((event as ErrorEvent).message || 'A file couldn’t be loaded'))
    this.#listen('unhandledrejection', (event) =>
      this.#recordError(formatConsoleArgs([(event as PromiseRejectionEvent).reason])),
    )
  }

  /** Restores the originals. A wrapper that other code added since stays, and no longer reaches this capture. */
  restore(): void {
    this.#isRecording = false
    for (const undo of this.#restorers.splice(0)) undo()
  }

  #wrapConsole(): void {
    const original = console.error
    const wrapper = (...args: unknown[]) => {
      this.#recordError(formatConsoleArgs(args))
      original.apply(console, args)
    }
    console.error = wrapper
    this.#restorers.push(() => {
      if (console.error === wrapper) console.error = original
    })
  }

  #wrapFetch(): void {
    const original = globalThis.fetch
    const wrapper: typeof fetch = async (input, init) => {
      const started = performance.now()
      const at = new Date().toISOString()
      const record = (status: number | null) => {
        if (!this.#isRecording || this.requests.length >= maxCapturedRequests) return
        const method = init?.method ?? (input instanceof Request ? input.method : 'GET')
        const address = redact(toPlainAddress(input instanceof Request ? input.url : String(input)))
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
    globalThis.fetch = wrapper
    this.#restorers.push(() => {
      if (globalThis.fetch === wrapper) globalThis.fetch = original
    })
  }

  #listen(type: 'error' | 'unhandledrejection', listener: (event: Event) => void): void {
    addEventListener(type, listener)
    this.#restorers.push(() => removeEventListener(type, listener))
  }

  #recordError(text: string): void {
    if (!this.#isRecording || this.errors.length >= maxCapturedErrors) return
    this.errors.push({ at: new Date().toISOString(), text: redact(text) })
  }
}
