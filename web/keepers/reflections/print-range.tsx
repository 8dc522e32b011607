import { useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { Button } from '#web/ui/controls/button.tsx'
import { TextField } from '#web/ui/fields/text-field.tsx'
import { Dialog } from '#web/ui/overlays/dialog.tsx'
import type { JournalFilter, JournalPage } from './journal-backend.ts'
import { useJournal } from './journal-context.ts'
import { withErrorLog } from './journal-queries.ts'
import { ReflectionPrintout } from './printed-reflection.tsx'

interface PrintRangeProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  /** The filter of the list also applies to the printout. */
  filter: JournalFilter
}

export function PrintRange({ open, onOpenChange, filter }: PrintRangeProps) {
  const { backend } = useJournal()
  const [from, setFrom] = useState('')
  const [to, setTo] = useState('')
  const [busy, setBusy] = useState(false)
  const [statusText, setStatusText] = useState('')
  const [printedReflections, setPrintedReflections] = useState<Reflection[]>([])

  useEffect(() => {
    if (printedReflections.length === 0) return
    const handleAfterPrint = () => setPrintedReflections([])
    addEventListener('afterprint', handleAfterPrint)
    // Waits for the dialog to close and lazy content to render.
    const timer = setTimeout(() => print(), 400)
    return () => {
      removeEventListener('afterprint', handleAfterPrint)
      clearTimeout(timer)
    }
  }, [printedReflections])

  async function loadRange() {
    setBusy(true)
    setStatusText('')
    try {
      const start = from === '' ? Number.NEGATIVE_INFINITY : new Date(`${from}T00:00`).getTime()
      const end = to === '' ? Number.POSITIVE_INFINITY : new Date(`${to}T24:00`).getTime()
      const loadedReflections: Reflection[] = []
      let cursor: string | null = null
      do {
        const page: JournalPage = await withErrorLog('Failed to load reflections', backend.fetchPage(filter, cursor))
        loadedReflections.push(...page.items)
        cursor = page.next
      } while (cursor !== null && Date.parse(loadedReflections.at(-1)?.createdAt ?? '') >= start)
      const reflectionsInRange = loadedReflections.filter(
        ({ createdAt }) => Date.parse(createdAt) >= start && Date.parse(createdAt) < end,
      )
      if (reflectionsInRange.length === 0) {
        setStatusText('Nothing written on these days.')
        return
      }
      onOpenChange(false)
      setPrintedReflections(reflectionsInRange.reverse())
    } catch {
      setStatusText('Your reflections couldn’t be loaded. Try again.')
    } finally {
      setBusy(false)
    }
  }

  return (
    <>
      <Dialog
        open={open}
        onOpenChange={onOpenChange}
        size="small"
        title="Print reflections"
        description={
          filter.q || filter.topic
            ? 'Prints the reflections in the current list within these days.'
            : 'Leave a date empty to start with the first reflection or end with the last.'
        }
        footer={
          <>
            <Button onClick={() => onOpenChange(false)}>Cancel</Button>
            <Button variant="primary" busy={busy} onClick={loadRange}>
              Print
            </Button>
          </>
        }
      >
        <div className="flex flex-wrap gap-3">
          <TextField
            type="date"
            label="From"
            value={from}
            max={to || undefined}
            onChange={(event) => setFrom(event.currentTarget.value)}
            className="min-w-40 flex-1"
          />
          <TextField
            type="date"
            label="To"
            value={to}
            min={from || undefined}
            onChange={(event) => setTo(event.currentTarget.value)}
            className="min-w-40 flex-1"
          />
        </div>
        <p role="status" className="mt-3 text-ui text-muted-foreground empty:hidden">
          {statusText}
        </p>
      </Dialog>
      {printedReflections.length > 0 &&
        createPortal(
          <div className="hidden print:block">
            {printedReflections.map((reflection) => (
              <ReflectionPrintout key={reflection.id} writing={reflection} at={reflection.createdAt} />
            ))}
          </div>,
          document.querySelector('main') ?? document.body,
        )}
    </>
  )
}
