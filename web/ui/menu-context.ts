import { createContext } from 'react'

/** Closes the menu around it. */
export const MenuContext = createContext<() => void>(() => undefined)
