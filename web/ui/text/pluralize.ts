// Formatting with a locale's name creates a new formatter each time.
const numberFormat = new Intl.NumberFormat('en-US')

export function pluralize(count: number, singular: string, plural = `${singular}s`): string {
  return `${numberFormat.format(count)} ${count === 1 ? singular : plural}`
}
