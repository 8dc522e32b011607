import type { ReactNode } from 'react'

interface MarkedTextProps {
  text: string
  /** Start and end (exclusive); sorted, without overlaps. */
  marks: readonly (readonly [from: number, to: number])[]
  className: string
}

export function MarkedText({ text, marks, className }: MarkedTextProps) {
  const parts: ReactNode[] = []
  let at = 0
  for (const [from, to] of marks) {
    parts.push(
      text.slice(at, from),
      <mark key={from} className={className}>
        {text.slice(from, to)}
      </mark>,
    )
    at = to
  }
  return [...parts, text.slice(at)]
}
