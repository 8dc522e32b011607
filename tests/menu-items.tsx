import type { ReactNode } from 'react'

/** Replaces the menu components, which open only in a browser; maps each label to its action. */
export const menuItems = new Map<string, () => void>()

export const Menu = ({ children }: { children: ReactNode }) => children
export const MenuSeparator = () => null
export function MenuItem({ children, onSelect }: { children: string; onSelect: () => void }) {
  menuItems.set(children, onSelect)
  return null
}
