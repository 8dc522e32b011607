const highlightName = 'source-search'
const maxMarks = 2000
let hasStyles = false

/** Marks text without changing the page; browsers without custom highlights show it unmarked. */
export function markWords(root: HTMLElement, words: string): void {
  if (!('highlights' in CSS)) return
  if (!hasStyles) addStyles()
  if (words === '') {
    CSS.highlights.delete(highlightName)
    return
  }
  const ranges: Range[] = []
  const texts = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
  for (let node = texts.nextNode(); node && ranges.length < maxMarks; node = texts.nextNode()) {
    const text = (node.textContent ?? '').toLowerCase()
    if (!node.parentElement?.closest('[data-message]')) continue
    for (let at = text.indexOf(words); at >= 0 && ranges.length < maxMarks; at = text.indexOf(words, at + 1)) {
      // Lowering the case can change the length of a text.
      if (at + words.length > (node.textContent ?? '').length) break
      const range = new Range()
      range.setStart(node, at)
      range.setEnd(node, at + words.length)
      ranges.push(range)
    }
  }
  CSS.highlights.set(highlightName, new Highlight(...ranges))
}

/** Not in a style sheet of the build, which doesn't know this selector yet. */
function addStyles(): void {
  const styles = new CSSStyleSheet()
  styles.replaceSync(
    `::highlight(${highlightName}) { background-color: var(--k-ribbon-soft); color: var(--k-ribbon-text) }`,
  )
  document.adoptedStyleSheets.push(styles)
  hasStyles = true
}
