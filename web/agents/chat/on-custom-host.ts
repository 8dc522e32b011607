import { createContext } from 'react'

export const OnCustomHostContext = createContext(false)
