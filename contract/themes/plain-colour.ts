/** As a theme keeps a colour, `#rrggbb` in small letters, of that or of the short `#rgb`; `undefined` of anything else. */
export function plainColour(text: string): string | undefined {
  const digits = /^#([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text.trim())?.[1]?.toLowerCase()
  if (digits === undefined) return undefined
  return `#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits}`
}
