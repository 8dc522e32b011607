import { type ComponentType, createContext, use } from 'react'
import { PlainText } from './plain-text.tsx'

export interface WrittenTextProps {
  text: string
  /** Written by the reader, so link targets aren’t shown. */
  own: boolean
}

/** The one renderer of what people write, provided by the app because it loads Markdown on demand. */
export const WrittenTextRenderer = createContext<ComponentType<WrittenTextProps>>(PlainText)

/** Set around pages whose texts the reader wrote. */
export const IsOwnText = createContext(false)

export function WrittenText({ text, own }: { text: string; own?: boolean }) {
  const Renderer = use(WrittenTextRenderer)
  const isOwnText = use(IsOwnText)
  return <Renderer text={text} own={own ?? isOwnText} />
}
