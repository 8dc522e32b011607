import { classNames } from '#web/ui/hooks/class-names.ts'
import { WrittenText } from '#web/ui/text/written-text.tsx'

/** Text that a person wrote. Renders nothing when it is empty. */
export function Prose({ text, className }: { text: string | null; className?: string }) {
  if (!text) return null
  return (
    <div className={classNames('font-serif text-read wrap-break-word', className)}>
      <WrittenText text={text} />
    </div>
  )
}
