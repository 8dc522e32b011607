import { type ReactNode, useState } from 'react'
import { Button, type ButtonProps } from './button.tsx'

const atOnce = 200

interface FirstOfOptions extends Pick<ButtonProps, 'size' | 'variant'> {
  /** Minimum shown, when the page is about one of them. */
  atLeast?: number
  atFirst?: number
  className?: string
}

/** Limits a long list so that years of entries don't block the page, with a button for more. */
export function useFirstOf<Entry>(
  entries: readonly Entry[],
  { atLeast = 0, atFirst = atOnce, className = 'mt-5', ...button }: FirstOfOptions = {},
): { shown: readonly Entry[]; more: ReactNode } {
  const [most, setMost] = useState(atFirst)
  const shown = entries.slice(0, Math.max(most, atLeast))
  const more = shown.length < entries.length && (
    <div className={className}>
      <Button {...button} onClick={() => setMost(shown.length + atOnce)}>
        Show more of {entries.length.toLocaleString('en-US')}
      </Button>
    </div>
  )
  return { shown, more }
}
