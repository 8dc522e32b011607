import { Printer } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { type LoadingCounts, preparePrinting, usePrinting, waitForPictures } from '../hooks/use-printing.ts'
import { pluralize } from '../text/pluralize.ts'
import { Button, type ButtonProps } from './button.tsx'

interface PrintButtonProps extends Pick<ButtonProps, 'variant' | 'size' | 'disabled'> {
  iconOnPhone?: boolean
}

/** Mounts the whole page, waits for its pictures, and opens the browser's print dialog. */
export function PrintButton({ disabled, iconOnPhone = false, ...button }: PrintButtonProps) {
  const [statusText, setStatusText] = useState<string>()
  const [preparation, setPreparation] = useState<{ cancel: AbortController; skip: AbortController }>()
  const endPrinting = useRef<() => void>(undefined)
  usePrinting()
  // Deferred, because cleanup runs during the commit that removes the button.
  useEffect(() => () => void setTimeout(() => endPrinting.current?.()), [])

  async function print() {
    const started = { cancel: new AbortController(), skip: new AbortController() }
    setPreparation(started)
    endPrinting.current?.()
    const release = preparePrinting()
    endPrinting.current = () => {
      started.cancel.abort()
      release()
      endPrinting.current = undefined
    }
    await waitForPictures(document, AbortSignal.any([started.cancel.signal, started.skip.signal]), (loading) =>
      setStatusText(describeLoading(loading)),
    )
    setPreparation(undefined)
    setStatusText(undefined)
    if (started.cancel.signal.aborted) return
    window.print()
    releaseOnNextUse(endPrinting.current)
  }

  return (
    <span className="inline-flex flex-wrap items-center gap-2">
      <Button
        {...button}
        disabled={disabled}
        busy={preparation !== undefined}
        className={iconOnPhone ? 'phone:gap-0' : undefined}
        icon={<Printer aria-hidden size={14} />}
        onClick={() => void print()}
      >
        <span className={iconOnPhone ? 'phone:sr-only' : undefined}>Print</span>
      </Button>
      <span role="status" className="text-small text-muted-foreground empty:hidden">
        {statusText}
      </span>
      {preparation && statusText && (
        <>
          <Button size="small" variant="plain" onClick={() => preparation.skip.abort()}>
            Print without them
          </Button>
          <Button size="small" variant="plain" onClick={() => endPrinting.current?.()}>
            Cancel
          </Button>
        </>
      )}
    </span>
  )
}

/** The page stays complete for a second printout until it is used again. */
function releaseOnNextUse(release: (() => void) | undefined): void {
  const listening = new AbortController()
  const onUse = (event: Event) => {
    if (event instanceof KeyboardEvent && (event.ctrlKey || event.metaKey)) return
    listening.abort()
    release?.()
  }
  for (const type of ['pointerdown', 'keydown', 'wheel', 'touchstart'])
    addEventListener(type, onUse, { signal: listening.signal, passive: true })
}

function describeLoading({ pictureCount, otherCount }: LoadingCounts): string | undefined {
  if (pictureCount > 0) return `${pluralize(pictureCount, 'picture is', 'pictures are')} still loading`
  return otherCount > 0 ? 'More is still loading' : undefined
}
