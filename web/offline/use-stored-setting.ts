import { useState } from 'react'
import { readSetting, writeSetting } from './browser-memory.ts'

/** A boolean remembered in this browser. */
export function useStoredFlag(key: string): [boolean, (isOn: boolean) => void] {
  const [isOn, setIsOn] = useState(() => readSetting(key) === 'yes')
  return [
    isOn,
    (next) => {
      writeSetting(key, next ? 'yes' : null)
      setIsOn(next)
    },
  ]
}

export type ListLayout = 'cards' | 'list'

export const listLayoutOptions: { value: ListLayout; label: string }[] = [
  { value: 'cards', label: 'Cards' },
  { value: 'list', label: 'List' },
]

/** The layout of a list, remembered in this browser. */
export function useListLayout(key: string): [ListLayout, (layout: ListLayout) => void] {
  const [layout, setLayout] = useState<ListLayout>(() => (readSetting(key) === 'list' ? 'list' : 'cards'))
  return [
    layout,
    (next) => {
      writeSetting(key, next)
      setLayout(next)
    },
  ]
}
