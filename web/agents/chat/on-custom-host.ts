import { createContext } from 'react'

/** Shown at a domain's own address, where nobody signs in and nothing else of Keeper is. */
export const OnCustomHost = createContext(false)
