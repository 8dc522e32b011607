import { type ReactNode, useState } from 'react'
import { Link } from 'react-router'
import type { Reflection } from '#contract/keepers/reflections.ts'
import { quietLinkClasses } from '#web/ui/controls/quiet-link.ts'
import { formatTime } from '#web/ui/text/format-time.ts'
import { getReadingPath } from './journal-addresses.ts'
import { useEarlierReflection } from './journal-queries.ts'
import { toPlainExcerpt } from './plain-excerpt.ts'
import { useStoredFlag } from './use-stored-flag.ts'
import { getPrompt } from './writing-prompts.ts'

/** The margin: an earlier reflection on this topic, and a writing prompt. */
export function JournalMargin({ topic, excludedId }: { topic: string; excludedId?: string }) {
  const [hidden, setHidden] = useStoredFlag('prompts-hidden')
  const [promptStep, setPromptStep] = useState(0)
  const earlierReflection = useEarlierReflection(topic, excludedId)
  return (
    <aside
      data-chrome
      aria-label="Writing prompts"
      className="flex flex-col gap-[26px] pt-[30px] phone:px-1.5 phone:pt-6"
    >
      {earlierReflection && <EarlierReflectionNote reflection={earlierReflection} />}
      {hidden ? (
        <button type="button" onClick={() => setHidden(false)} className={`self-start ${quietLinkClasses}`}>
          Show prompts
        </button>
      ) : (
        <MarginNote title="If you’re stuck" text={getPrompt(new Date(), promptStep)}>
          <button type="button" onClick={() => setPromptStep(promptStep + 1)} className={quietLinkClasses}>
            Another
          </button>
          <button type="button" onClick={() => setHidden(true)} className={quietLinkClasses}>
            Hide prompts
          </button>
        </MarginNote>
      )}
      <p className="text-small text-muted-foreground">
        Reflections rest for a day before your keeper suggests keeping them.
      </p>
    </aside>
  )
}

function EarlierReflectionNote({ reflection }: { reflection: Reflection }) {
  const writtenAt = new Date(reflection.createdAt)
  const isThisYear = writtenAt.getFullYear() === new Date().getFullYear()
  return (
    <MarginNote
      title="From your keeper"
      text={`You wrote about ${reflection.topic ?? 'this'} on ${formatTime(writtenAt, isThisYear ? 'day' : 'date')}: “${toPlainExcerpt(reflection.content, 140)}”`}
    >
      <Link to={getReadingPath(reflection.id)} className={quietLinkClasses}>
        Open that reflection
      </Link>
    </MarginNote>
  )
}

function MarginNote({ title, text, children }: { title: string; text: string; children: ReactNode }) {
  return (
    <div className="border-s-2 border-ribbon ps-3.5">
      <h2 className="font-sans text-small font-semibold tracking-normal">{title}</h2>
      <p aria-live="polite" className="my-1.5 font-serif text-lead wrap-break-word italic">
        {text}
      </p>
      <div className="flex gap-3">{children}</div>
    </div>
  )
}
