export interface ConsoleEntry {
  at: number
  text: string
}

const maxConsoleErrors = 20
const maxTextLength = 500
let entries: readonly ConsoleEntry[] = []

export function getLastConsoleErrors(): readonly ConsoleEntry[] {
  return entries
}

export function captureConsoleErrors(): void {
  const write = console.error.bind(console)
  console.error = (...args: unknown[]) => {
    recordError(formatConsoleArgs(args))
    write(...args)
  }
  addEventListener('error', (event) => recordError(event.message || 'A file couldn’t be loaded'))
  addEventListener('unhandledrejection', (event) => recordError(formatConsoleArgs([event.reason])))
  addEventListener('securitypolicyviolation', (event) =>
    recordError(`Blocked by the content security policy: ${event.violatedDirective}`),
  )
}

function recordError(text: string): void {
  entries = [{ at: Date.now(), text: text.slice(0, maxTextLength) }, ...entries].slice(0, maxConsoleErrors)
}

/** One line for a report. Objects appear only by type: they may contain a person's text. */
export function formatConsoleArgs(args: readonly unknown[]): string {
  return args
    .map((arg) => {
      if (arg instanceof Error) return `${arg.name}: ${arg.message}`
      if (typeof arg === 'object' && arg !== null) return `[${arg.constructor?.name ?? 'object'}]`
      return String(arg)
    })
    .join(' ')
}
