import { useEffect } from 'react'

/**
 * Stands in for the package of this name, by which radix locks the scrolling of the page under a
 * dialog. The original adds a <style> element; an adopted sheet is no element and needs no permission.
 */
export function stylesheetSingleton() {
  let users = 0
  let sheet: CSSStyleSheet | undefined
  return {
    add(styles: string) {
      users += 1
      if (users > 1) return
      sheet = new CSSStyleSheet()
      sheet.replaceSync(styles)
      document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet]
    },
    remove() {
      users -= 1
      if (users > 0) return
      document.adoptedStyleSheets = document.adoptedStyleSheets.filter((each) => each !== sheet)
    },
  }
}

export function styleHookSingleton() {
  const sheet = stylesheetSingleton()
  return function useStyle(styles: string, isDynamic?: boolean) {
    useEffect(() => {
      sheet.add(styles)
      return () => sheet.remove()
      // biome-ignore lint/correctness/useExhaustiveDependencies: the original's rule: styles change only where said so
    }, [styles && isDynamic])
  }
}

export function styleSingleton() {
  const useStyle = styleHookSingleton()
  return function Sheet({ styles, dynamic }: { styles: string; dynamic?: boolean }) {
    useStyle(styles, dynamic)
    return null
  }
}
