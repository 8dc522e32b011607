const highlightName = 'source-words'
const maxMarks = 2000
let hasStyles = false

interface Position {
  node: Node
  offset: number
}

/** Marks text of messages without changing the page; browsers without custom highlights show it unmarked. Case and
 * white space don't matter. @returns the first mark */
export function markWords(root: ParentNode, words: string): Range | undefined {
  const ranges = findWords(root, words)
  if ('highlights' in CSS) {
    if (!hasStyles) addStyles()
    if (ranges.length === 0) CSS.highlights.delete(highlightName)
    else CSS.highlights.set(highlightName, new Highlight(...ranges))
  }
  return ranges[0]
}

export function findWords(root: ParentNode, words: string): Range[] {
  const searched = collapse(words)
  if (searched === '') return []
  const ranges: Range[] = []
  for (const message of root.querySelectorAll('[data-message]')) {
    // Line breaks of drawn pages aren't in `textContent`.
    const isCandidate = message.querySelector('br') !== null || collapse(message.textContent ?? '').includes(searched)
    if (!isCandidate) continue
    const { text, starts } = readText(message)
    for (let at = text.indexOf(searched); at >= 0 && ranges.length < maxMarks; at = text.indexOf(searched, at + 1)) {
      const [start, last] = [starts[at], starts[at + searched.length - 1]]
      if (!start || !last) break
      const range = new Range()
      range.setStart(start.node, start.offset)
      range.setEnd(last.node, last.offset + 1)
      ranges.push(range)
    }
  }
  return ranges
}

const collapse = (text: string) => text.toLowerCase().replace(/\s+/g, ' ').trim()

/** With white space and line breaks collapsed across elements. */
function readText(message: Element): { text: string; starts: Position[] } {
  const starts: Position[] = []
  const characters: string[] = []
  const nodes = document.createTreeWalker(message, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT)
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    const content = node instanceof Text ? node.data : node.nodeName === 'BR' ? '\n' : ''
    for (let offset = 0; offset < content.length; offset += 1) {
      const character = content.charAt(offset)
      const isBlank = /\s/.test(character)
      if (isBlank && characters.at(-1) === ' ') continue
      // Lowering the case can change the length of a text.
      for (const lower of isBlank ? ' ' : character.toLowerCase()) {
        characters.push(lower)
        starts.push({ node, offset })
      }
    }
  }
  return { text: characters.join(''), starts }
}

/** Not in a style sheet of the build, which doesn't know this selector yet. */
function addStyles(): void {
  const styles = new CSSStyleSheet()
  styles.replaceSync(`
    ::highlight(${highlightName}) { background-color: var(--k-ribbon-soft); color: var(--k-ribbon-text) }
    .pdf-text ::highlight(${highlightName}) { background-color: color-mix(in srgb, var(--k-ribbon) 40%, transparent); color: transparent }
  `)
  document.adoptedStyleSheets.push(styles)
  hasStyles = true
}
