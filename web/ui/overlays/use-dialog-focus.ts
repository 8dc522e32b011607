import { useRef } from 'react'

const focusableSelector =
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
    const target = [node, ...node.querySelectorAll(focusableSelector)].find(
      (candidate) => candidate.matches(focusableSelector) && isVisible(candidate),
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

/** The last dialog's opener: a dialog that replaces another right away finds nothing focused. */
let lastOpener: HTMLElement | null = null

/** Radix restores focus only to its own trigger; our dialogs open from state. Spread the result on the content. */
export function useDialogFocus(onOpenAutoFocus?: (event: Event) => void) {
  const opener = useRef<HTMLElement | null>(null)
  const candidates = useRef<Node[]>([])
  return {
    onOpenAutoFocus(event: Event) {
      const active = document.activeElement
      opener.current = active instanceof HTMLElement && active !== document.body ? active : lastOpener
      lastOpener = opener.current
      candidates.current = opener.current ? getFocusCandidates(opener.current) : []
      onOpenAutoFocus?.(event)
    },
    onCloseAutoFocus(event: Event) {
      event.preventDefault()
      if (opener.current && isVisible(opener.current)) opener.current.focus()
      // The opener can be missing, like the button of a deleted item.
      if (!opener.current || document.activeElement !== opener.current) focusFirstCandidate(candidates.current)
      lastOpener = null
    },
  }
}

/** Single-key shortcuts are off while a dialog or menu is open. */
export function isDialogOpen(): boolean {
  return document.querySelector('[role="dialog"],[role="alertdialog"],[role="menu"]') !== null
}
