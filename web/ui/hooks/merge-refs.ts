import type { Ref, RefCallback } from 'react'

export function mergeRefs<Element>(...refs: (Ref<Element> | undefined)[]): RefCallback<Element> {
  return (element) => {
    const cleanups = refs.map((ref) => {
      if (typeof ref === 'function') return ref(element) ?? (() => ref(null))
      if (ref) ref.current = element
      return () => {
        if (ref) ref.current = null
      }
    })
    return () => {
      for (const cleanup of cleanups) cleanup()
    }
  }
}
