import { usePrinting } from '#web/ui/hooks/use-printing.ts'
import { formatTime } from '#web/ui/text/format-time.ts'
import { WrittenText } from '#web/ui/text/written-text.tsx'
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
  const { keeper } = useJournal()
  const dayText = `${formatTime(at, 'day')}, ${new Date(at).getFullYear()}`
  return (
    <article data-printed className="mb-10 hidden print:block">
      <h2 className="break-after-avoid">{writing.topic?.trim() || dayText}</h2>
      <p className="mb-4 break-after-avoid text-[9.5pt]">
        {dayText}, {formatTime(at, 'time')} · {keeper.title}
      </p>
      <div className={verbatim ? 'font-serif whitespace-pre-wrap' : 'font-serif'}>
        {verbatim ? writing.content : <WrittenText text={writing.content} />}
      </div>
    </article>
  )
}
