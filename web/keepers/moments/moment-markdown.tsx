import { type ComponentType, createContext, use } from 'react'

/** What renders Markdown; the page brings it. Without it the words stand there as they were typed. */
export const MomentMarkdown = createContext<ComponentType<{ text: string }>>(({ text }) => (
  <p className="wrap-break-word whitespace-pre-wrap">{text}</p>
))

export function MomentBody({ text }: { text: string }) {
  const Markdown = use(MomentMarkdown)
  return <Markdown text={text} />
}
