import type { ReactNode } from 'react'

interface MarkedTextProps {
  text: string
  /** From where to where, the second not included; in order, and not over each other. */
  marks: readonly (readonly [from: number, to: number])[]
  /** How a mark looks. */
  className: string
}

/** A text with what was searched for marked in it. */
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
