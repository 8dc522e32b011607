/** One line for a report. Objects appear only by type: they may contain a person's text. */
export function formatConsoleArgs(args: readonly unknown[]): string {
  return args
    .map((word) => {
      if (word instanceof Error) return `${word.name}: ${word.message}`
      if (typeof word === 'object' && word !== null) return `[${word.constructor?.name ?? 'object'}]`
      return String(word)
    })
    .join(' ')
}
