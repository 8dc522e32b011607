/** Texts that a translator took out of the page, with the elements in their place. */
const replacements = new WeakMap<Node, ChildNode>()

/**
 * Translators of browsers put elements in the place of text nodes, and React fails at removed nodes. Here a text
 * returns to its place before React uses it, and after React changes it; then the translator translates it again.
 */
export function surviveTranslation(): void {
  const changedTexts = new MutationObserver((records) => {
    for (const { target } of records) restoreText(target)
  })
  const replacedTexts = new MutationObserver((records) => {
    for (const record of records)
      for (const node of record.removedNodes) {
        const element = node instanceof Text && findReplacement(record)
        if (!element) continue
        replacements.set(node, element)
        changedTexts.observe(node, { characterData: true })
      }
  })
  replacedTexts.observe(document.body, { childList: true, subtree: true })

  const { removeChild, insertBefore } = Node.prototype
  Node.prototype.removeChild = function <Child extends Node>(this: Node, child: Child): Child {
    restoreText(child)
    return removeChild.call(this, child) as Child
  }
  Node.prototype.insertBefore = function <Child extends Node>(this: Node, child: Child, next: Node | null): Child {
    if (next) restoreText(next)
    return insertBefore.call(this, child, next) as Child
  }
}

/** React doesn't replace a text by an element in one step, and writes no `font` elements. */
function findReplacement({ addedNodes, previousSibling, nextSibling }: MutationRecord): ChildNode | undefined {
  const added = [...addedNodes].find((node): node is Element => node instanceof Element)
  return added ?? [previousSibling, nextSibling].find((node): node is HTMLElement => node?.nodeName === 'FONT')
}

function restoreText(text: Node): void {
  const element = replacements.get(text)
  replacements.delete(text)
  if (element && !text.parentNode) element.parentNode?.replaceChild(text, element)
}
