/** What is said of one of several things in a box is said at the box: `tags.2` at `tags`. */
export function byBox(fields: Record<string, string> = {}): Record<string, string> {
  const ofOne = Object.entries(fields).map(([path, text]) => [path.split('.')[0], text])
  return { ...Object.fromEntries(ofOne), ...fields }
}
