const inks = ['#1d4e89', '#8a4b08', '#2f6b4f', '#8c2f39', '#5e4b8b', '#0f6674'] as const

/** White text has a contrast of at least 5.5 : 1 on each ink. */
export function personColour(personId: string): string {
  let sum = 0
  for (const letter of personId) sum = (sum * 31 + letter.charCodeAt(0)) >>> 0
  return inks[sum % inks.length] ?? inks[0]
}

export function firstName(name: string | null): string {
  return name?.trim().split(/\s+/)[0] || 'Someone'
}
