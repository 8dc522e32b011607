import { type ComponentType, createContext, use } from 'react'

export interface WrittenTextProps {
  text: string
  /** Written by the reader, so link targets aren’t shown. */
  isByReader: boolean
}

/** The one renderer of what people write, provided by the app because it loads Markdown on demand. */
export const WrittenTextRenderer = createContext<ComponentType<WrittenTextProps>>(PlainText)

/** Set around pages whose texts the reader wrote. */
export const IsByReader = createContext(false)

export function WrittenText({ text, isByReader }: { text: string; isByReader?: boolean }) {
  const Renderer = use(WrittenTextRenderer)
  const isPageByReader = use(IsByReader)
  return <Renderer text={text} isByReader={isByReader ?? isPageByReader} />
}

/** Text with its paragraphs and line breaks, spaced as rendered Markdown is. */
export function PlainText({ text }: { text: string }) {
  return (
    <div dir="auto" className="flex min-w-0 flex-col gap-3">
      {text
        .trim()
        .split(/\n[^\S\n]*\n\s*/)
        .map((paragraph, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: paragraphs are identified by position
          <p key={index} className="wrap-anywhere whitespace-pre-line">
            {paragraph}
          </p>
        ))}
    </div>
  )
}
