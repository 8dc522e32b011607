import { useEffect, useState } from 'react'
import { flushSync } from 'react-dom'
import { formatTime } from '#web/ui/format-time.ts'
import { useJournal } from './journal-context.ts'

interface PrintedReflectionProps {
  writing: { topic: string | null; content: string }
  at: string
  /** Prints the Markdown source. */
  verbatim?: boolean
}

/** Rendered only while printing, because a long text would slow down typing. */
export function PrintedReflection(props: PrintedReflectionProps) {
  return usePrinting() ? <ReflectionPrintout {...props} /> : null
}

export function ReflectionPrintout({ writing, at, verbatim = false }: PrintedReflectionProps) {
  const { keeper, Markdown } = useJournal()
  const dayText = `${formatTime(at, 'day')}, ${new Date(at).getFullYear()}`
  return (
    <article data-printed className="mb-10 hidden print:block">
      <h2 className="break-after-avoid">{writing.topic?.trim() || dayText}</h2>
      <p className="mb-4 break-after-avoid text-[9.5pt]">
        {dayText}, {formatTime(at, 'time')} · {keeper.title}
      </p>
      <div className={verbatim ? 'font-serif whitespace-pre-wrap' : 'font-serif'}>
        {verbatim ? writing.content : <Markdown text={writing.content} />}
      </div>
    </article>
  )
}

function usePrinting(): boolean {
  const [printing, setPrinting] = useState(false)
  useEffect(() => {
    const printMedia = matchMedia('print')
    // The printout is taken at the end of the event, so rendering must be synchronous.
    const syncPrinting = () => flushSync(() => setPrinting(printMedia.matches))
    const startPrinting = () => flushSync(() => setPrinting(true))
    const stopPrinting = () => setPrinting(false)
    printMedia.addEventListener('change', syncPrinting)
    addEventListener('beforeprint', startPrinting)
    addEventListener('afterprint', stopPrinting)
    return () => {
      printMedia.removeEventListener('change', syncPrinting)
      removeEventListener('beforeprint', startPrinting)
      removeEventListener('afterprint', stopPrinting)
    }
  }, [])
  return printing
}
