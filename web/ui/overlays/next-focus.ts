const focusable =
  'a[href],button:not(:disabled),input:not(:disabled,[type="hidden"]),select:not(:disabled),textarea:not(:disabled),[tabindex]:not([tabindex="-1"])'

/** Siblings of the element and of its ancestors, nearest first: focus candidates for when the element disappears. */
export function getFocusCandidates(element: Element): Node[] {
  const nodes: Node[] = []
  for (let box: Element | null = element; box && !box.matches('main, body'); box = box.parentElement)
    nodes.push(...getSiblings(box.nextSibling, 'nextSibling'), ...getSiblings(box.previousSibling, 'previousSibling'))
  return nodes
}

export function getSiblings(from: Node | null, direction: 'nextSibling' | 'previousSibling'): Node[] {
  const nodes: Node[] = []
  for (let node = from; node; node = node[direction]) nodes.push(node)
  return nodes
}

/** Focuses the first focusable candidate, else the page title. */
export function focusFirstCandidate(nodes: Node[]): void {
  for (const node of nodes) {
    if (!(node instanceof Element && node.isConnected)) continue
    const target = [node, ...node.querySelectorAll(focusable)].find(
      (candidate) => candidate.matches(focusable) && isVisible(candidate),
    )
    if (!(target instanceof HTMLElement)) continue
    target.focus()
    return
  }
  const heading = document.querySelector<HTMLElement>('main h1')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

export function isVisible(element: Element): boolean {
  return element.isConnected && element.checkVisibility({ visibilityProperty: true })
}
