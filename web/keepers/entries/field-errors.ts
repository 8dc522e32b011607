/** Also maps the error of a list item to its field: `tags.2` to `tags`. */
export function toFieldErrors(fields: Record<string, string> = {}): Record<string, string> {
  const rootFieldErrors = Object.entries(fields).map(([path, text]) => [path.split('.')[0], text])
  return { ...Object.fromEntries(rootFieldErrors), ...fields }
}
