/** At most so many characters as the server counts them. One that takes two goes whole: the half of it can be kept nowhere. */
export function truncate(text: string, most: number): string {
  return text.slice(0, most).replace(/[\ud800-\udbff]$/, '')
}
