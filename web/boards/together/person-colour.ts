const cursorColors = ['#1d4e89', '#8a4b08', '#2f6b4f', '#8c2f39', '#5e4b8b', '#0f6674'] as const

/** White text has a contrast of at least 5.5 : 1 on each ink. */
export function getPersonColor(personId: string): string {
  let hash = 0
  for (const char of personId) hash = (hash * 31 + char.charCodeAt(0)) >>> 0
  return cursorColors[hash % cursorColors.length] ?? cursorColors[0]
}

export function getFirstName(name: string | null): string {
  return name?.trim().split(/\s+/)[0] || 'Someone'
}
