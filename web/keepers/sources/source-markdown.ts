import { type ComponentType, createContext } from 'react'

type TextView = ComponentType<{ text: string }>

const Plain: TextView = ({ text }) => text

/** The page sets them, because Markdown belongs to another area. */
export const SourceMarkdown = createContext<{ Message: TextView; Document: TextView }>({
  Message: Plain,
  Document: Plain,
})
