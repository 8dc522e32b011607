/** Returns `#rrggbb` in lowercase for `#rrggbb` or `#rgb`, else `undefined`. */
export function normalizeColor(text: string): string | undefined {
  const digits = /^#([0-9a-f]{6}|[0-9a-f]{3})$/i.exec(text.trim())?.[1]?.toLowerCase()
  if (digits === undefined) return undefined
  return `#${digits.length === 3 ? [...digits].map((digit) => digit + digit).join('') : digits}`
}
