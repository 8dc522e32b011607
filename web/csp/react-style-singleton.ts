import { useEffect } from 'react'

/**
 * Stands in for the package of this name, by which radix locks the scrolling of the page under a
 * dialog. The original adds a <style> element; an adopted sheet is no element and needs no permission.
 */
export function styleSingleton() {
  let users = 0
  let sheet: CSSStyleSheet | undefined

  function add(styles: string) {
    users += 1
    if (users > 1) return
    sheet = new CSSStyleSheet()
    sheet.replaceSync(styles)
    document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
  }
  function remove() {
    users -= 1
    if (users > 0) return
    document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
  }

  // biome-ignore lint/correctness/noComponentHookFactories: the shape radix expects, called once for each module
  return function Sheet({ styles, dynamic }: { styles: string; dynamic?: boolean }) {
    // biome-ignore lint/correctness/useExhaustiveDependencies: like the original, styles change only where that is announced
    useEffect(() => {
      add(styles)
      return remove
    }, [styles && dynamic])
    return null
  }
}
