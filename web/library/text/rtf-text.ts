const skippedGroups = new Set(
  'fonttbl colortbl stylesheet info pict object objdata themedata colorschememapping datastore latentstyles listtable listoverridetable rsidtbl generator xmlnstbl mmathPr fldinst header footer headerl headerr footerl footerr nonshppict'.split(
    ' ',
  ),
)
const controlCharacters: Record<string, string> = {
  par: '\n',
  line: '\n',
  sect: '\n',
  page: '\n',
  row: '\n',
  tab: '\t',
  cell: '\t',
  emdash: '—',
  endash: '–',
  bullet: '•',
  lquote: '‘',
  rquote: '’',
  ldblquote: '“',
  rdblquote: '”',
  emspace: ' ',
  enspace: ' ',
}
const maxDepth = 10_000

interface RtfGroup {
  isRead: boolean
  /** Fallback characters to skip after a \u escape. */
  fallbackCount: number
}

/** Iterative; drops pictures, objects and field instructions. @throws if it isn't RTF */
export function rtfToText(rtf: string): string {
  if (!/^\s*\{\\rtf/.test(rtf)) throw new Error('This document isn’t Rich Text.')
  const parts: string[] = []
  const latin = new TextDecoder('windows-1252')
  const groups: RtfGroup[] = []
  let group: RtfGroup = { isRead: true, fallbackCount: 1 }
  let skipCount = 0
  const write = (text: string) => {
    if (skipCount > 0) skipCount--
    else if (group.isRead) parts.push(text)
  }
  const tokenPattern = /\\([a-z]{1,32})(-?\d{1,10})? ?|\\'([\da-f]{2})|\\([^a-z])|([{}])|[\r\n]+|[^\\{}\r\n]+/gi
  for (let match = tokenPattern.exec(rtf); match; match = tokenPattern.exec(rtf)) {
    const [matchedText, word, number, hexadecimal, symbol, brace] = match
    if (brace === '{') {
      if (groups.length >= maxDepth) throw new Error('This Rich Text is nested too deeply.')
      groups.push(group)
      group = { ...group }
      skipCount = 0
    } else if (brace === '}') {
      group = groups.pop() ?? group
      skipCount = 0
    } else if (hexadecimal) write(latin.decode(Uint8Array.of(Number.parseInt(hexadecimal, 16))))
    else if (word === 'bin') tokenPattern.lastIndex += Math.max(0, Number(number ?? 0))
    else if (word === 'u' && number) {
      write(String.fromCharCode(Number(number) & 0xff_ff))
      skipCount = group.fallbackCount
    } else if (word === 'uc') group.fallbackCount = Math.max(0, Math.min(8, Number(number ?? 1)))
    else if (word) {
      if (skippedGroups.has(word)) group.isRead = false
      else if (Object.hasOwn(controlCharacters, word)) write(controlCharacters[word] ?? '')
    } else if (symbol === '*') group.isRead = false
    else if (symbol === '~') write(' ')
    else if (symbol === '\\' || symbol === '{' || symbol === '}') write(symbol)
    else if (symbol === '_') write('-')
    else if (symbol === undefined && !/^[\r\n]/.test(matchedText)) {
      const visibleText = matchedText.slice(skipCount)
      skipCount = Math.max(0, skipCount - matchedText.length)
      if (visibleText !== '') write(visibleText)
    }
  }
  return parts.join('').replace(/\n{3,}/g, '\n\n')
}
