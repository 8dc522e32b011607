import { type ComponentType, createContext } from 'react'

/** Injected by the page: safe Markdown and HTML rendering belong to other areas. */
export interface Viewers {
  Markdown: ComponentType<{ text: string }>
  /** A complete document without scripts, styles, forms, external images and links. */
  cleanPage: (html: string, mode: 'light' | 'dark') => { document: string; hasRemovedContent: boolean }
}

export const ViewersContext = createContext<Viewers>({
  Markdown: () => null,
  cleanPage: () => ({ document: '', hasRemovedContent: false }),
})
