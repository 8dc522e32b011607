import { useState } from 'react'
import { recall, remember } from '#web/browser-memory.ts'

export type Layout = 'cards' | 'list'
const key = 'keeper-library-layout'

export function useLayout(): [Layout, (layout: Layout) => void] {
  const [layout, setLayout] = useState<Layout>(() => (recall(key) === 'list' ? 'list' : 'cards'))
  return [
    layout,
    (next) => {
      remember(key, next)
      setLayout(next)
    },
  ]
}
