import { Printer } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { preparePrinting, usePrinting, waitForPictures } from '../hooks/use-printing.ts'
import { pluralize } from '../text/pluralize.ts'
import { Button, type ButtonProps } from './button.tsx'

/** Loads what is not on the page yet, says what is missing, and opens the browser's print dialog. */
export function PrintButton({ disabled, ...button }: Pick<ButtonProps, 'variant' | 'size' | 'disabled'>) {
  const [statusText, setStatusText] = useState<string>()
  const [preparation, setPreparation] = useState<{ cancel: AbortController; skip: AbortController }>()
  const leave = useRef<() => void>(undefined)
  usePrinting()
  // Deferred, because cleanup runs during the commit that removes the button.
  useEffect(() => () => void setTimeout(() => leave.current?.()), [])

  async function print() {
    const next = { cancel: new AbortController(), skip: new AbortController() }
    setPreparation(next)
    leave.current?.()
    const release = preparePrinting()
    leave.current = () => {
      next.cancel.abort()
      release()
      leave.current = undefined
    }
    await waitForPictures(document, AbortSignal.any([next.cancel.signal, next.skip.signal]), ({ pictures, others }) =>
      setStatusText(describeLoading(pictures, others)),
    )
    setPreparation(undefined)
    setStatusText(undefined)
    if (next.cancel.signal.aborted) return
    window.print()
    releaseOnNextUse(leave.current)
  }

  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Button
        {...button}
        disabled={disabled}
        busy={preparation !== undefined}
        icon={<Printer aria-hidden size={14} />}
        onClick={() => void print()}
      >
        Print
      </Button>
      <span role="status" className="text-small text-muted-foreground empty:hidden">
        {statusText}
      </span>
      {preparation && statusText && (
        <>
          <Button size="small" variant="plain" onClick={() => preparation.skip.abort()}>
            Print without them
          </Button>
          <Button size="small" variant="plain" onClick={() => leave.current?.()}>
            Cancel
          </Button>
        </>
      )}
    </span>
  )
}

/** The page stays complete for a second printout until it is used again. */
function releaseOnNextUse(release: (() => void) | undefined): void {
  const used = new AbortController()
  const onUse = (event: Event) => {
    if (event instanceof KeyboardEvent && (event.ctrlKey || event.metaKey)) return
    used.abort()
    release?.()
  }
  for (const type of ['pointerdown', 'keydown', 'wheel', 'touchstart'])
    addEventListener(type, onUse, { signal: used.signal, passive: true })
}

function describeLoading(pictures: number, others: number): string | undefined {
  if (pictures > 0) return `${pluralize(pictures, 'picture')} ${pictures === 1 ? 'is' : 'are'} still loading`
  return others > 0 ? 'More is still loading' : undefined
}
