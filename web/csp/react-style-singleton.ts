import { useEffect } from 'react'

/** Replaces the package react-style-singleton, with which Radix locks scrolling: the page policy (CSP) refuses its <style>. */
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
    // biome-ignore lint/correctness/useExhaustiveDependencies: as in the package, which doesn't react to changed styles
    useEffect(() => {
      add(styles)
      return remove
    }, [styles && dynamic])
    return null
  }
}
