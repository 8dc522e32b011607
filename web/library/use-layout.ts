import { useState } from 'react'

export type Layout = 'cards' | 'list'
const key = 'keeper-library-layout'

/** Remembered in this browser. */
export function useLayout(): [Layout, (layout: Layout) => void] {
  const [layout, setLayout] = useState<Layout>(() => (localStorage.getItem(key) === 'list' ? 'list' : 'cards'))
  return [
    layout,
    (next) => {
      localStorage.setItem(key, next)
      setLayout(next)
    },
  ]
}
