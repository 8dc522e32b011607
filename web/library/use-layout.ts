import { useState } from 'react'
import { readSetting, writeSetting } from '#web/offline/browser-memory.ts'

export type Layout = 'cards' | 'list'
const layoutKey = 'keeper-library-layout'

export function useLayout(): [Layout, (layout: Layout) => void] {
  const [layout, setLayout] = useState<Layout>(() => (readSetting(layoutKey) === 'list' ? 'list' : 'cards'))
  return [
    layout,
    (next) => {
      writeSetting(layoutKey, next)
      setLayout(next)
    },
  ]
}
