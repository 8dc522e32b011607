/** Maximum lengths of fields and files, in characters. */
export const lengths = {
  markdown: 500_000,
  run: 100_000,
  document: 1_000_000,
  answer: 400_000,
  frame: 20_000,
  line: 2000,
}
export const htmlUnits = [
  ...[
    '<p>',
    '</p>',
    '<script>',
    '</script',
    '<title>',
    '<br/1',
    '<br',
    '<!',
    '<?',
    '<a ">" ',
    "<a '",
    '<a b=',
    '<a b =" ',
  ],
  ...['&#', '<svg', ']]>', '<![CDATA[', '-->'],
]
export const markdownUnits = [
  '[a](',
  '](<',
  '](a "',
  '- a\n\n',
  '***',
  '``',
  '```',
  '    a\n',
  '~~~\n',
  '|a|\n',
  '![a]',
  '[[',
  '- [ ] ',
]
export const noteUnits = [
  ...['[[a', '[[a|', '![[', ']]', '%%', '%%a', '#a ', ' #', '((', '{{embed ', '<img ', '<img src=', '`', '``a` ', '\0'],
  ...['![a](', '[![a](b)](', '[a](b "', '[a](b(', '> [!a] ', ' ^a', ' ^a\n', '[a](<'],
]

/** No word or line occurs twice. */
export const createNumberedWords = (length: number, separator: string) =>
  Array.from({ length: Math.ceil(length / 7) }, (_, index) => `w${String(index).padStart(5, '0')}`)
    .join(separator)
    .slice(0, length)
