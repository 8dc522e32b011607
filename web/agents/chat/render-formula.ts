import katex from 'katex'
import 'katex/dist/katex.min.css'
import './formula.css'

/** Commands that let a short formula become a long one. */
const definitions = /\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand)(?![A-Za-z@])/
/** Each is a call on the stack, and boxes within boxes. */
const maxDepth = 30

/**
 * Sets a formula, with its delimiters, into an empty element.
 * @returns false for what cannot be set, or not in time
 */
export function renderFormula(source: string, place: HTMLElement): boolean {
  const length = /^(?:\$\$|\\)/.test(source) ? 2 : 1
  const formula = source.slice(length, -length)
  if (definitions.test(formula) || getDepth(formula) > maxDepth) return false
  const displayMode = source.startsWith('$$') || source.startsWith('\\[')
  place.className = displayMode ? 'formula-box' : 'formula'
  try {
    katex.render(formula, place, { displayMode, maxExpand: 1000, maxSize: 20, strict: 'ignore', trust: false })
    const isWide = place.scrollWidth > place.clientWidth
    if (isWide) {
      place.className = 'formula-box'
      place.tabIndex = 0
    }
    return true
  } catch {
    return false
  }
}

function getDepth(formula: string): number {
  let depth = 0
  let deepest = 0
  for (const [mark] of formula.matchAll(/\\(?:left|right|begin|end)(?![A-Za-z])|\\.|[{}]/gs)) {
    if (mark === '{' || mark === '\\left' || mark === '\\begin') deepest = Math.max(deepest, ++depth)
    else if (mark === '}' || mark === '\\right' || mark === '\\end') depth--
  }
  return deepest
}

const formulaOf = (node: Node) => (node instanceof Element ? node : node.parentElement)?.closest('[data-formula]')

/** A copy has the formulas as they were written. */
document.addEventListener('copy', (event) => {
  const selection = getSelection()
  if (!selection || selection.isCollapsed || !event.clipboardData) return
  const range = selection.getRangeAt(0).cloneRange()
  const [first, last] = [formulaOf(range.startContainer), formulaOf(range.endContainer)]
  if (first) range.setStartBefore(first)
  if (last) range.setEndAfter(last)
  const copied = document.createElement('div')
  copied.append(range.cloneContents())
  const formulas = copied.querySelectorAll<HTMLElement>('[data-formula]')
  if (formulas.length === 0) return
  for (const formula of formulas) formula.replaceWith(formula.dataset.formula ?? '')
  for (const unselectable of copied.querySelectorAll('.select-none')) unselectable.remove()
  // Only what is on the page has lines.
  copied.className = 'fixed start-0 top-0 opacity-0'
  document.body.append(copied)
  event.clipboardData.setData('text/plain', copied.innerText)
  copied.remove()
  copied.removeAttribute('class')
  event.clipboardData.setData('text/html', copied.innerHTML)
  event.preventDefault()
})
