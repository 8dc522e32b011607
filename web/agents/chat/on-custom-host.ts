import { createContext } from 'react'

export const OnCustomHost = createContext(false)
