import { type ReactNode, useState } from 'react'
import { Button } from '#web/ui/button.tsx'

const atOnce = 200

/**
 * The first of a long list, so that ten years of it do not hold up the page, and a button for more where there is more.
 * @param named is shown in any case, and what comes before it
 */
export function useFirstOf<Entry extends { id: string }>(
  entries: readonly Entry[],
  named?: string | null,
): [shown: readonly Entry[], more: ReactNode] {
  const [most, setMost] = useState(atOnce)
  const place = named ? entries.findIndex(({ id }) => id === named) : -1
  const shown = entries.slice(0, Math.max(most, place + 1))
  const left = entries.length - shown.length
  const more = left > 0 && (
    <div className="mt-5">
      <Button onClick={() => setMost(shown.length + atOnce)}>
        Show more of {entries.length.toLocaleString('en-US')}
      </Button>
    </div>
  )
  return [shown, more]
}
