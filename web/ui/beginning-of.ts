interface Beginning {
  characters: number
  lines: number
}

/** Cuts at whole characters, and only when at least a fifth is saved. */
export function beginningOf(text: string, { characters, lines }: Beginning): string {
  const all = text.split('\n')
  const byLines = all.length > lines + 2 ? all.slice(0, lines).join('\n') : text
  if (byLines.length <= characters * 1.2) return byLines
  return Array.from(byLines.slice(0, characters + 1))
    .slice(0, -1)
    .join('')
}
