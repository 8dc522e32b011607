import type { ReactNode } from 'react'

/** What stands in a menu, by its words, each with what it does: a menu itself opens in a browser alone. */
export const items = new Map<string, () => void>()

export const Menu = ({ children }: { children: ReactNode }) => children
export const MenuSeparator = () => null
export function MenuItem({ children, onSelect }: { children: string; onSelect: () => void }) {
  items.set(children, onSelect)
  return null
}
