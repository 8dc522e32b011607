import katex from 'katex'
import 'katex/dist/katex.min.css'
import './formula.css'

/** Macros could expand a short formula without limit. */
const macroDefinitionPattern = /\\(?:[gex]?def|let|futurelet|(?:re)?newcommand|providecommand)(?![A-Za-z@])/
/** Browsers can crash laying out thousands of nested elements. */
const maxElementDepth = 200

/** Renders a delimited formula into an empty element. @returns false if it can't be rendered safely */
export function renderFormula(source: string, container: HTMLElement): boolean {
  const delimiterLength = /^(?:\$\$|\\)/.test(source) ? 2 : 1
  const formula = source.slice(delimiterLength, -delimiterLength)
  if (macroDefinitionPattern.test(formula)) return false
  const displayMode = source.startsWith('$$') || source.startsWith('\\[')
  const renderedElement = document.createElement('span')
  try {
    katex.render(formula, renderedElement, {
      displayMode,
      maxExpand: 1000,
      maxSize: 20,
      strict: 'ignore',
      trust: false,
    })
  } catch {
    return false
  }
  if (getDepth(renderedElement) > maxElementDepth) return false
  container.replaceChildren(...renderedElement.childNodes)
  container.dataset.display = String(displayMode)
  fitToWidth(container)
  widthObserver.observe(container)
  return true
}

const widthObserver = new ResizeObserver((entries) => {
  for (const { target } of entries) fitToWidth(target as HTMLElement)
})

function fitToWidth(container: HTMLElement): void {
  container.className = container.dataset.display === 'true' ? 'formula-box' : 'formula'
  const bases = [...container.querySelectorAll<HTMLElement>('.base')]
  const isWide = bases.some(({ offsetWidth }) => offsetWidth > container.clientWidth + 1)
  if (isWide) container.className = 'formula-box'
  container.toggleAttribute('tabindex', isWide)
  if (isWide) container.tabIndex = 0
}

/** Iterative, since deep trees would overflow the stack. */
function getDepth(root: Node): number {
  let depth = 0
  let maxFoundDepth = 0
  for (let node: Node | null = root; node; ) {
    if (node.firstChild) {
      node = node.firstChild
      maxFoundDepth = Math.max(maxFoundDepth, ++depth)
      continue
    }
    while (node !== root && node && !node.nextSibling) {
      node = node.parentNode
      depth--
    }
    node = node === root ? null : (node?.nextSibling ?? null)
  }
  return maxFoundDepth
}

const findFormula = (node: Node) => (node instanceof Element ? node : node.parentElement)?.closest('[data-formula]')

/** Copies the source of selected formulas instead of their rendering. */
function copyFormulaSources(event: ClipboardEvent): void {
  const selection = getSelection()
  if (!selection || selection.isCollapsed || !event.clipboardData) return
  const range = selection.getRangeAt(0).cloneRange()
  const [first, last] = [findFormula(range.startContainer), findFormula(range.endContainer)]
  if (first) range.setStartBefore(first)
  if (last) range.setEndAfter(last)
  const copiedElement = document.createElement('div')
  copiedElement.append(range.cloneContents())
  const formulas = copiedElement.querySelectorAll<HTMLElement>('[data-formula]')
  if (formulas.length === 0) return
  for (const formula of formulas) {
    const source = document.createElement('span')
    source.className = 'whitespace-pre-wrap'
    source.textContent = formula.dataset.formula ?? ''
    formula.replaceWith(source)
  }
  for (const unselectable of copiedElement.querySelectorAll('.select-none')) unselectable.remove()
  // innerText has line breaks only while the element is rendered.
  copiedElement.className = 'fixed start-0 top-0 opacity-0'
  document.body.append(copiedElement)
  event.clipboardData.setData('text/plain', copiedElement.innerText)
  copiedElement.remove()
  copiedElement.removeAttribute('class')
  event.clipboardData.setData('text/html', copiedElement.innerHTML)
  event.preventDefault()
}

document.addEventListener('copy', copyFormulaSources)
