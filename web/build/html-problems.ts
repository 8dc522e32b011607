const problemRules: [RegExp, string][] = [
  [/<style[\s>]/i, 'a <style> element'],
  [/<[^>]+\sstyle=/i, 'a style attribute: a prerendered component uses style={{}}'],
  [/<script(?![^>]*\ssrc=)[^>]*>/i, 'an inline script'],
  [/<[^>]+\son[a-z]+=/i, 'an event attribute'],
]

/** Lists the markup that the policy `script-src 'self'; style-src 'self'` refuses. */
export function findHtmlProblems(html: string): string[] {
  return problemRules.filter(([pattern]) => pattern.test(html)).map(([, name]) => name)
}
