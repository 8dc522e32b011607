const focusable =
  'a[href],button:not(:disabled),input:not(:disabled,[type="hidden"]),select:not(:disabled),textarea:not(:disabled),[tabindex]:not([tabindex="-1"])'

/** Siblings of the element and of its ancestors, nearest first: focus candidates for when the element disappears. */
export function besides(element: Element): Node[] {
  const found: Node[] = []
  for (let box: Element | null = element; box && !box.matches('main, body'); box = box.parentElement)
    found.push(...siblings(box.nextSibling, 'nextSibling'), ...siblings(box.previousSibling, 'previousSibling'))
  return found
}

export function siblings(from: Node | null, direction: 'nextSibling' | 'previousSibling'): Node[] {
  const found: Node[] = []
  for (let node = from; node; node = node[direction]) found.push(node)
  return found
}

/** Focuses the first focusable candidate, else the page title. */
export function focusFirstOf(nodes: Node[]): void {
  for (const node of nodes) {
    if (!(node instanceof Element && node.isConnected)) continue
    const heir = [node, ...node.querySelectorAll(focusable)].find((one) => one.matches(focusable) && seen(one))
    if (!(heir instanceof HTMLElement)) continue
    heir.focus()
    return
  }
  const heading = document.querySelector<HTMLElement>('main h1')
  if (!heading) return
  heading.tabIndex = -1
  heading.focus({ preventScroll: true })
}

export function seen(element: Element): boolean {
  return element.isConnected && element.checkVisibility({ visibilityProperty: true })
}
