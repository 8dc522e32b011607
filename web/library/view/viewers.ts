import { type ComponentType, createContext } from 'react'

/** What shows Markdown and pages safely is of other areas; the page of the library hands it in. */
export interface Viewers {
  Markdown: ComponentType<{ text: string }>
  /** The page as a whole document without scripts, styles, forms, pictures from elsewhere and ways out. */
  cleanPage: (html: string, mode: 'light' | 'dark') => { document: string; leftOut: boolean }
}

export const ViewersContext = createContext<Viewers>({
  Markdown: () => null,
  cleanPage: () => ({ document: '', leftOut: false }),
})
