import { type ReactNode, useState } from 'react'
import { Button, type ButtonProps } from './button.tsx'

const atOnce = 200

interface FirstOfOptions extends Pick<ButtonProps, 'size' | 'variant'> {
  /** How many are shown in any case, because the page is about one of them. */
  atLeast?: number
  /** How many are shown until more are asked for. */
  atFirst?: number
  /** Of what is around the button. */
  className?: string
}

/** The first of a long list, so that ten years of it do not hold up the page, and a button for more where there is more. */
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
