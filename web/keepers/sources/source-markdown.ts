import { type ComponentType, createContext } from 'react'

type TextView = ComponentType<{ text: string }>

const Plain: TextView = ({ text }) => text

/** The page provides the components, because the Markdown renderer belongs to another area. */
export const SourceMarkdown = createContext<{ Message: TextView; Document: TextView }>({
  Message: Plain,
  Document: Plain,
})
