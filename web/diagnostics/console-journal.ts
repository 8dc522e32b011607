import { format } from './format-console.ts'

export interface ConsoleEntry {
  at: number
  text: string
}

const longest = 20
const longestText = 500
let entries: readonly ConsoleEntry[] = []

/** Newest first. */
export function lastConsoleErrors(): readonly ConsoleEntry[] {
  return entries
}

/** Called on the first line of the app; the console still shows everything. */
export function keepConsoleErrors(): void {
  const write = console.error.bind(console)
  console.error = (...words: unknown[]) => {
    note(format(words))
    write(...words)
  }
  addEventListener('error', (event) => note(event.message || 'A file could not be loaded'))
  addEventListener('unhandledrejection', (event) => note(format([event.reason])))
  addEventListener('securitypolicyviolation', (event) => note(`Refused by the page policy: ${event.violatedDirective}`))
}

function note(text: string): void {
  entries = [{ at: Date.now(), text: text.slice(0, longestText) }, ...entries].slice(0, longest)
}
