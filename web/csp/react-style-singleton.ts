import { useEffect } from 'react'

/** The original package, with which Radix locks scrolling, adds a <style> element, which the page policy refuses. */
export function styleSingleton() {
  let mountCount = 0
  let sheet: CSSStyleSheet | undefined

  function add(styles: string) {
    mountCount += 1
    if (mountCount > 1) return
    sheet = new CSSStyleSheet()
    sheet.replaceSync(styles)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }
  function remove() {
    mountCount -= 1
    if (mountCount > 0) return
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((candidate) => candidate !== sheet)
  }

  // biome-ignore lint/correctness/noComponentHookFactories: Radix expects this shape; called once per module
  return function Sheet({ styles, dynamic }: { styles: string; dynamic?: boolean }) {
    // biome-ignore lint/correctness/useExhaustiveDependencies: like the original package, updates only dynamic styles
    useEffect(() => {
      add(styles)
      return remove
    }, [styles && dynamic])
    return null
  }
}
