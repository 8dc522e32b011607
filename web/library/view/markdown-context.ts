import { type ComponentType, createContext } from 'react'

/** The page provides the component, because the Markdown renderer belongs to another area. */
export const MarkdownContext = createContext<ComponentType<{ text: string }>>(() => null)
