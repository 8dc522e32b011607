import { formatTime } from '#web/ui/format-time.ts'
import { useJournal } from './journal-context.ts'

interface PrintedReflectionProps {
  writing: { topic: string | null; content: string }
  at: string
  className?: string
}

/** On paper: title, date, keeper, then text. */
export function PrintedReflection({ writing, at, className }: PrintedReflectionProps) {
  const { keeper, Markdown } = useJournal()
  const day = `${formatTime(at, 'day')}, ${new Date(at).getFullYear()}`
  return (
    <article data-printed className={className}>
      <h2 className="break-after-avoid">{writing.topic?.trim() || day}</h2>
      <p className="mb-4 break-after-avoid text-[9.5pt]">
        {day}, {formatTime(at, 'time')} · {keeper.title}
      </p>
      <div className="font-serif">
        <Markdown text={writing.content} />
      </div>
    </article>
  )
}
