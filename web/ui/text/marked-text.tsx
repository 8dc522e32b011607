import type { ReactNode } from 'react'

interface MarkedTextProps {
  text: string
  /** Start and end (exclusive); sorted, without overlaps. */
  marks: readonly (readonly [from: number, to: number])[]
  className: string
}

export function MarkedText({ text, marks, className }: MarkedTextProps) {
  const parts: ReactNode[] = []
  let position = 0
  for (const [from, to] of marks) {
    parts.push(
      text.slice(position, from),
      <mark key={from} className={className}>
        {text.slice(from, to)}
      </mark>,
    )
    position = to
  }
  return [...parts, text.slice(position)]
}
