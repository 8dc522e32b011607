/** One line for a report. Objects are only named: they may hold what somebody wrote. */
export function format(words: readonly unknown[]): string {
  return words
    .map((word) => {
      if (word instanceof Error) return `${word.name}: ${word.message}`
      if (typeof word === 'object' && word !== null) return `[${word.constructor?.name ?? 'object'}]`
      return String(word)
    })
    .join(' ')
}
