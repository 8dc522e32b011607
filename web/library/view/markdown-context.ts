import { type ComponentType, createContext } from 'react'

/** Injected by the page, because safe Markdown belongs to another area. */
export const MarkdownContext = createContext<ComponentType<{ text: string }>>(() => null)
