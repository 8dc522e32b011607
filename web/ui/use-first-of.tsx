import { type ReactNode, useState } from 'react'
import { Button } from './button.tsx'

const atOnce = 200

/**
 * The first of a long list, so that ten years of it do not hold up the page, and a button for more where there is more.
 * @param atLeast how many are shown in any case, because the page is about one of them
 */
export function useFirstOf<Entry>(
  entries: readonly Entry[],
  atLeast = 0,
): { shown: readonly Entry[]; more: ReactNode } {
  const [most, setMost] = useState(atOnce)
  const shown = entries.slice(0, Math.max(most, atLeast))
  const more = shown.length < entries.length && (
    <div className="mt-5">
      <Button onClick={() => setMost(shown.length + atOnce)}>
        Show more of {entries.length.toLocaleString('en-US')}
      </Button>
    </div>
  )
  return { shown, more }
}
