import { useLayoutEffect } from 'react'

/** For styles of the whole page: rules with `:root:has(…)` instead would be matched again after every typed key. */
export function useRootAttribute(name: string, value: string): void {
  useLayoutEffect(() => {
    document.documentElement.setAttribute(name, value)
    return () => document.documentElement.removeAttribute(name)
  }, [name, value])
}
