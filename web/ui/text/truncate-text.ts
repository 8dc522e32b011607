interface TruncateLimits {
  characters: number
  lines: number
}

/** Cuts at whole characters, and only when at least a fifth is saved. */
export function truncateText(text: string, { characters, lines }: TruncateLimits): string {
  const lineList = text.split('\n')
  const firstLines = lineList.length > lines + 2 ? lineList.slice(0, lines).join('\n') : text
  if (firstLines.length <= characters * 1.2) return firstLines
  return Array.from(firstLines.slice(0, characters + 1))
    .slice(0, -1)
    .join('')
}
